import { useComputed, useSignalEffect } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Hosted } from "../../shared/components/Hosted";
import { t } from "../../shared/messages";
import { THUMBNAIL_DPI } from "../../shared/page/page_images";
import { BoxBar, type BoxBarActions, type BoxBarProps } from "../boxes/BoxBar";
import { isRailOpen } from "../panel_visibility";
import { allowedPages } from "./allowed_pages";
import { EmptyViewer } from "./EmptyViewer";
import { FindBar, type FindBarProps } from "./FindBar";
import { PageBeside, type PageBesideProps } from "./PageBeside";
import { hasFreeWords } from "./spoken_text";
import { Thumbnails } from "./Thumbnails";
import { type PageMark, pageMarks } from "./thumbnail_marks";
import { ViewBar, type ViewBarProps } from "./ViewBar";
import type { Viewer } from "./viewer";

const NO_MARKS: ReadonlyMap<number, PageMark> = new Map();

export interface ViewerPaneProps {
  store: Pt.Store;
  viewer: Viewer;
  bar: Pick<
    ViewBarProps,
    "onSelectText" | "onCommand" | "onBookmark" | "onCite" | "onToggleRail" | "onToggleReading"
  >;
  boxes: BoxBarActions;
  history: BoxBarProps["history"];
  find: FindBarProps;
  beside: Omit<PageBesideProps, "store">;
  pageUrl: (sha: string, page: number, dpi: number) => string;
  /** Read pages as text, or no longer. */
  onSpeak: () => void;
}

/** The open page with the bars above it and the thumbnails and the page beside it. */
export function ViewerPane({ store, viewer, bar, boxes, find, beside, ...props }: ViewerPaneProps) {
  useSignalEffect(() => {
    viewer.setAllowed(allowedPages(store.tracked));
  });
  const hasPages = store.given_pages.value?.length !== 0 || store.locked.value.length > 0;
  return (
    <section class="viewer column" aria-label={t("Viewer")}>
      <div>
        {hasPages ? (
          <ViewBar
            store={store}
            shown={viewer.shown}
            pageNumber={viewer.pageNumber}
            onTurn={(via, stamp) => viewer.turn(via, stamp)}
            onJump={(page, stamp) => viewer.jump(page, stamp)}
            onZoomStep={(direction) => viewer.target && viewer.stage.zoomStep(direction)}
            onZoom={(percent) => viewer.target && viewer.stage.zoomTo(percent)}
            onFit={(fit) => viewer.fit(fit)}
            onRotate={() => viewer.rotate()}
            {...bar}
          />
        ) : null}
        <BoxBar store={store} actions={boxes} history={props.history} />
        <FindBar {...find} />
      </div>
      <div class="viewer-body">
        <Rail store={store} viewer={viewer} pageUrl={props.pageUrl} />
        <SpeakButton store={store} onSpeak={props.onSpeak} />
        <Hosted element={viewer.stage.element} />
        <PageBeside store={store} {...beside} />
        <EmptyViewer store={store} />
      </div>
    </section>
  );
}

function Rail({ store, viewer, pageUrl }: Pick<ViewerPaneProps, "store" | "viewer" | "pageUrl">) {
  const marks = useComputed(() => {
    const { page, state, protocol, given_pages: given } = store.tracked;
    return page ? pageMarks({ page, state, protocol, given }) : NO_MARKS;
  });
  const isShown = useComputed(
    () => store.page.value !== null && isRailOpen(store.tracked) && !store.reading.value,
  ).value;
  const shown = viewer.railDocument.value;
  const url = useMemo(() => (sha: string, page: number) => pageUrl(sha, page, THUMBNAIL_DPI), []);
  if (!isShown || !shown) return null;
  return (
    <Thumbnails
      document={shown}
      current={viewer.currentPage}
      marks={marks}
      retries={viewer.retries}
      url={url}
      onOpen={(page, stamp) => {
        if (viewer.target) viewer.goTo({ ...viewer.target, page }, "thumbnail", stamp);
        viewer.focusPage();
      }}
    />
  );
}

/** Visible while it has the focus; where words of pages are free, screen readers have them anyway. */
function SpeakButton({ store, onSpeak }: Pick<ViewerPaneProps, "store" | "onSpeak">) {
  const protocol = store.protocol.value;
  if (!store.page.value || hasFreeWords(protocol) || !protocol.text.spoken) return null;
  return (
    <div class="spoken-place">
      <Button
        class="button small spoken-toggle"
        testid="page-text-toggle"
        aria-pressed={store.layout.value.spoken === true}
        onClick={onSpeak}
      >
        {t("Read the page as text")}
      </Button>
    </div>
  );
}
