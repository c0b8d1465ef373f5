import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../../shared/components/Icon";
import { PatientImage } from "../../shared/components/PatientImage";
import { t, tn } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import type { PageMark } from "./thumbnail_marks";

const SLOT = 108; // height of a thumbnail with its gap, as in viewer.css
const AHEAD = 2;
const SETTLE_MS = 90;
const UNKNOWN_SIZE: Pt.Size = [3, 4];

/** The document whose pages are shown. */
export interface RailDocument {
  info: Pt.ShownDocument;
  /** the pages that may be opened; null for all */
  pages: number[] | null;
}

export interface ThumbnailsProps {
  document: RailDocument;
  /** the page in the viewer */
  current: ReadonlySignal<number>;
  marks: ReadonlySignal<ReadonlyMap<number, PageMark>>;
  /** counts how often missing images are to be asked for again */
  retries: ReadonlySignal<number>;
  url: (sha: string, page: number) => string;
  onOpen: (page: number, stamp: number) => void;
}

/** Thumbnails of the open document; only those in view exist, so length does not matter. */
export function Thumbnails({ document, current, marks, retries, url, onOpen }: ThumbnailsProps) {
  const { info, pages } = document;
  const rail = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(0);
  const isSettled = useSignal(true);
  // Only one thumbnail is in the tab order; the arrows move among them.
  const stop = useSignal(current.value);
  const count = pages?.length ?? info.n_pages;
  const indexOf = useMemo(
    () => (page: number) => (pages ? pages.indexOf(page) : page - 1),
    [pages],
  );
  const pageAt = (index: number) => (pages ? pages[index] : index + 1);

  const reveal = (page: number) => {
    const element = rail.current;
    if (!element) return;
    const y = Math.max(0, indexOf(page)) * SLOT;
    const { scrollTop, clientHeight } = element;
    if (y < scrollTop || y + SLOT > scrollTop + clientHeight)
      element.scrollTop = Math.max(0, y - (clientHeight - SLOT) / 2);
    top.value = element.scrollTop;
  };
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      height.value = contentRect.height;
      reveal(current.value);
    });
    if (rail.current) observer.observe(rail.current);
    return () => observer.disconnect();
  }, [indexOf]);
  useSignalEffect(() => {
    stop.value = current.value;
    reveal(current.value);
  });
  useSignalEffect(() => {
    if (isSettled.value) return;
    void top.value;
    const timer = setTimeout(() => {
      isSettled.value = true;
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  });

  const moveStop = (event: KeyboardEvent) => {
    const at = indexOf(stop.value);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    stop.value = pageAt(Math.min(count - 1, Math.max(0, to)));
    reveal(stop.value);
  };

  const shown = pagesInView(top.value, height.value, count).map(pageAt);
  const stopIndex = indexOf(stop.value); // of a longer document until a page of this one is open
  if (height.value && stopIndex >= 0 && stopIndex < count && !shown.includes(stop.value))
    shown.push(stop.value);
  return (
    <div
      ref={rail}
      class="rail"
      role="group"
      aria-label={t("Pages of the document")}
      data-testid="rail"
      data-keys="ArrowUp ArrowDown Home End"
      onKeyDown={moveStop}
      onScroll={({ currentTarget }) => {
        if (currentTarget.scrollTop === top.value) return;
        isSettled.value = false;
        top.value = currentTarget.scrollTop;
      }}
    >
      <div class="rail-spacer" role="presentation" style={{ height: `${count * SLOT}px` }}>
        {shown.map((page) => (
          <Thumbnail
            key={`${info.sha256} ${page}`}
            page={page}
            y={indexOf(page) * SLOT}
            size={info.pages[page - 1] ?? UNKNOWN_SIZE}
            address={url(info.sha256, page)}
            mark={marks.value.get(page)}
            isCurrent={page === current.value}
            isStop={page === stop.value}
            isSettled={isSettled.value}
            retries={retries.value}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

function pagesInView(top: number, height: number, count: number) {
  if (!height) return []; // out of sight: nothing is fetched for it
  const from = Math.max(0, Math.floor(top / SLOT) - AHEAD);
  const to = Math.min(count, Math.ceil((top + height) / SLOT) + AHEAD);
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

interface ThumbnailProps {
  page: number;
  /** pixels from the top of the rail's content */
  y: number;
  size: Pt.Size;
  address: string;
  mark: PageMark | undefined;
  isCurrent: boolean;
  isStop: boolean;
  isSettled: boolean;
  retries: number;
  onOpen: (page: number, stamp: number) => void;
}

function Thumbnail({ page, y, size, mark, isCurrent, isStop, onOpen, ...image }: ThumbnailProps) {
  const [width, height] = size;
  const button = useRef<HTMLButtonElement>(null);
  // The arrows have moved the tab stop here.
  useLayoutEffect(() => {
    const root = button.current?.getRootNode() as Document | ShadowRoot | undefined;
    const focused = root?.activeElement;
    if (isStop && focused?.closest(".rail") && focused !== button.current)
      button.current?.focus({ preventScroll: true });
  }, [isStop]);
  const { cited = false, boxes = 0, grade = null, graded = null } = mark ?? {};
  const words = [
    cited && t("cited"),
    graded,
    boxes > 0 && tn("{number} box", "{number} boxes", boxes),
  ];
  const label = [t("Page {page}", { page }), ...words.filter(Boolean)].join(", ");
  return (
    <button
      ref={button}
      type="button"
      class={cited ? "thumb bare inset-focus cited" : "thumb bare inset-focus"}
      data-testid="thumb"
      data-page={page}
      data-grade={grade ?? undefined}
      aria-current={isCurrent ? "page" : undefined}
      aria-label={label}
      title={words.some(Boolean) ? label : undefined}
      tabIndex={isStop ? 0 : -1}
      style={{ transform: `translateY(${y}px)` }}
      onClick={(event) => onOpen(page, event.timeStamp)}
    >
      <span
        class={width > height ? "thumb-paper paper wide" : "thumb-paper paper"}
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <ThumbnailImage {...image} />
        <span class="thumb-cited small">
          <Icon name="cited" />
        </span>
        {grade === null ? null : <span class="thumb-grade">{grade}</span>}
        {boxes ? <span class="thumb-boxes">{grouped(boxes)}</span> : null}
      </span>
      <span class="thumb-number caption number">{page}</span>
    </button>
  );
}

/** Loaded once scrolling has settled. */
function ThumbnailImage({
  address,
  isSettled,
  retries,
}: Pick<ThumbnailProps, "address" | "isSettled" | "retries">) {
  const loaded = useRef<string | null>(null);
  if (isSettled) loaded.current ??= address; // its token changes later; the image does not
  if (!loaded.current) return null;
  return <PatientImage src={loaded.current} priority="low" retries={retries} />;
}
