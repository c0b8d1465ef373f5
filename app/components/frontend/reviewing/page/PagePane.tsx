import { type ReadonlySignal, useComputed, useSignalEffect } from "@preact/signals";
import { IconButton } from "../../shared/components/Button";
import { Hosted } from "../../shared/components/Hosted";
import { withKey } from "../../shared/keys";
import { N_, t } from "../../shared/messages";
import type { PageSource } from "../../shared/page/stage_image";
import { samePlace } from "../../shared/places";
import { LineSwatch } from "../LineSwatch";
import type { ReviewStore } from "../store";
import { BoxList } from "./BoxList";
import { goldLayer, type PageLayer, peopleLayers } from "./page_layers";
import type { ReviewedPage } from "./reviewed_page";
import { ZoneTable } from "./ZoneTable";
import "./PagePane.css";

const WHY: Record<string, string> = {
  cited: N_("cited"),
  drafted: N_("proposed by a model"),
  boxes: N_("has boxes"),
  graded: N_("graded"),
  dataset: N_("evidence of the dataset"),
  given: N_("given"),
};

export interface PagePaneProps {
  store: ReviewStore;
  sheet: ReviewedPage;
  onStep: (by: 1 | -1) => void;
  onWiden: () => void;
  onShowLayer: (key: string, shown: boolean) => void;
  onTakeBox: (attempt: string, box: Pt.ReviewedBox) => void;
  onShowBox: (box: Pt.ReviewedBox) => void;
}

/** One page with the boxes of all annotators, turned over the pages that the task is about. */
export function PagePane(props: PagePaneProps) {
  const { store, sheet } = props;
  const people = useComputed(() => peopleLayers(store));
  const gold = useComputed(() => goldLayer(store));
  const canTake = useComputed(
    () => store.editable.value && (store.review.value.merge_methods.boxes ?? []).includes("pick"),
  );
  useSignalEffect(() => {
    const data = store.review.value;
    const place = store.page.value;
    const hidden = store.hiddenLayers.value;
    const layers = store.boxesHidden.value ? [] : [gold.value, ...people.value];
    sheet.update({
      place,
      source: place && sourceOf(data, place),
      nearby: placesAround(store).flatMap((near) => sourceOf(data, near) ?? []),
      layers: layers.filter(({ key }) => !hidden.has(key)),
      standsOut: store.standsOut.value,
      canTake: canTake.value,
    });
  });
  return (
    <aside
      class="page-pane column"
      aria-label={t("Page")}
      data-painted={sheet.painted.value ?? undefined}
    >
      <PageBar {...props} />
      <Legend {...props} people={people} gold={gold} />
      {store.page.value ? (
        <Hosted element={sheet.element} />
      ) : (
        <p class="page-empty quiet">
          {t("The task gives no page, and nobody cited, graded or drew on one.")}
        </p>
      )}
      <div class="page-notes medium">
        <ZoneTable store={store} />
        <BoxList
          layers={people.value}
          canTake={canTake.value}
          onTake={props.onTakeBox}
          onShow={props.onShowBox}
        />
      </div>
    </aside>
  );
}

function sourceOf({ documents }: Pt.ReviewData, { document, page }: Pt.Place): PageSource | null {
  const info = documents[document];
  const size = info?.pages[page - 1];
  return info && size ? { sha: info.sha256, number: page, size } : null;
}

function placesAround(store: ReviewStore): Pt.Place[] {
  const pages = store.pages.value;
  const index = pages.findIndex((place) => samePlace(place, store.page.value));
  return index < 0 ? [] : [pages[index - 1], pages[index + 1]].filter(Boolean);
}

function PageBar({ store, sheet, onStep, onWiden }: PagePaneProps) {
  const place = store.page.value;
  const pages = store.pages.value;
  const index = pages.findIndex((other) => samePlace(other, place));
  const why = pages[index]?.why.map((word) => t(WHY[word])).join(", ");
  const title = place
    ? t("{document}, page {page}", { document: place.document, page: place.page })
    : t("No page");
  return (
    <div class="page-bar line">
      <IconButton
        icon="previous"
        label={t("Previous page (←)")}
        disabled={index <= 0}
        onClick={() => onStep(-1)}
      />
      <div class="page-name fill">
        <span class="ellipsis heading strong" data-testid="page-title" title={title}>
          {title}
        </span>
        <span class="caption ellipsis">
          {place
            ? [t("{position} of {number}", { position: index + 1, number: pages.length }), why]
                .filter(Boolean)
                .join(" · ")
            : ""}
        </span>
      </div>
      <IconButton
        icon="next"
        label={withKey(t("Next page"), "nextPage")}
        disabled={index < 0 || index >= pages.length - 1}
        onClick={() => onStep(1)}
      />
      <IconButton
        icon="minus"
        label={withKey(t("Zoom out"), "zoomOut")}
        onClick={() => sheet.zoomStep(-1)}
      />
      <IconButton
        icon="plus"
        label={withKey(t("Zoom in"), "zoomIn")}
        onClick={() => sheet.zoomStep(1)}
      />
      <IconButton
        icon="fitPage"
        label={withKey(t("Whole page, or page width"), "fit")}
        onClick={() => sheet.toggleFit()}
      />
      <IconButton icon="panelLeft" label={withKey(t("Wider page"), "wide")} onClick={onWiden} />
    </div>
  );
}

interface LegendProps extends Pick<PagePaneProps, "store" | "onShowLayer"> {
  people: ReadonlySignal<PageLayer[]>;
  gold: ReadonlySignal<PageLayer>;
}

/** Whose boxes have which colour and line; a press hides or shows them. */
function Legend({ store, people, gold, onShowLayer }: LegendProps) {
  const { protocol } = store.review.value;
  if (!protocol.boxes.enabled || !store.versions.value.some(({ boxes }) => boxes.length))
    return null;
  return (
    <div class="legend wrapping" role="group" aria-label={t("Whose boxes are shown")}>
      {[...people.value, gold.value].map(({ key, number, name, boxes, look }) => {
        const isShown = !store.boxesHidden.value && !store.hiddenLayers.value.has(key);
        return (
          <button
            key={key}
            type="button"
            class="legend-entry toggle"
            aria-pressed={isShown}
            data-testid="legend"
            title={
              isShown ? t("Hide {name}’s boxes", { name }) : t("Show {name}’s boxes", { name })
            }
            onClick={() => onShowLayer(key, !isShown)}
          >
            <LineSwatch look={look} />
            <span>{number ? `${number} ${name}` : name}</span>
            <span class="number quiet">{boxes.length}</span>
          </button>
        );
      })}
    </div>
  );
}
