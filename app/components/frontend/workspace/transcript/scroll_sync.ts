/** Scrolls a page and its text together, block by block, and shows on the page which block is meant. */

import { svg } from "../../shared/dom";
import type { Stage } from "../../shared/page/page_stage";
import {
  blockAt,
  blockNear,
  type PlacedBlock,
  placeBlocks,
  type TextBlock,
} from "./block_alignment";
import { blocksOf } from "./markdown_parser";

/** Where in both panes the same block is, from above. */
const REFERENCE = 0.3;
const ALIGN_AFTER_MS = 250;
const IDLE_WITHIN_MS = 1000;
const PADDING = 3;

/** A view of the text that scrolls. */
export interface ScrolledText {
  scroller: HTMLElement;
  /** Where a block is, in client coordinates. */
  span(block: TextBlock): { top: number; bottom: number };
}

interface ScrollSyncHost {
  stage: Stage;
  /** The words of the open page. */
  words: () => Promise<Pt.Word[]>;
  isTogether: () => boolean;
}

export class ScrollSync {
  private blocks: PlacedBlock[] = [];
  private text = "";
  private view: ScrolledText | null = null;
  /** The pane that somebody uses, which the other one follows. */
  private leader: "page" | "text" | null = null;
  private frame = 0;
  private timer = 0;
  private stops = new AbortController();
  private shown: Pt.Rect | null = null;
  private readonly outline = svg("g", { class: "aligned-block" });

  constructor(private readonly host: ScrollSyncHost) {
    const { overlay, pane } = host.stage;
    overlay.append(this.outline);
    this.listen(pane, "page", this.stops.signal);
  }

  /** The text is shown in another view. */
  setView(view: ScrolledText) {
    this.stops.abort();
    this.stops = new AbortController();
    this.view = view;
    this.leader = null;
    this.listen(this.host.stage.pane, "page", this.stops.signal);
    this.listen(view.scroller, "text", this.stops.signal);
  }

  /** The text or the page is another one. */
  setText(text: string, now = false) {
    this.text = text;
    clearTimeout(this.timer);
    const align = () => void this.align();
    this.timer = window.setTimeout(() => whenIdle(align), now ? 0 : ALIGN_AFTER_MS);
  }

  /** The block of a position of the text, if it is found on the page. */
  blockAt(position: number): PlacedBlock | null {
    const block = blockAt(this.blocks, position);
    return block?.rect ? block : null;
  }

  /** The end of the block that is on the page at a height or above it; null where none is known. */
  endNear(y: number): number | null {
    return blockNear(this.blocks, y)?.to ?? null;
  }

  /** Show on the page where a position of the text is. */
  showPosition(position: number) {
    const rect = this.blockAt(position)?.rect ?? null;
    this.show(rect);
    if (rect && this.host.isTogether()) this.host.stage.reveal(rect);
  }

  /** The cursor is at a position: the page follows as soon as that is in another block. */
  followCursor(position: number) {
    // Each key that is typed comes here, and to measure the page takes longer than all the rest.
    if ((this.blockAt(position)?.rect ?? null) !== this.shown) this.showPosition(position);
  }

  destroy() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.stops.abort();
    this.outline.remove();
  }

  private show(rect: Pt.Rect | null) {
    this.shown = rect;
    if (!rect) {
      this.outline.replaceChildren();
      return;
    }
    const [x0, y0, x1, y1] = rect;
    this.outline.replaceChildren(
      svg("rect", {
        x: x0 - PADDING,
        y: y0 - PADDING,
        width: x1 - x0 + 2 * PADDING,
        height: y1 - y0 + 2 * PADDING,
        rx: 2,
      }),
    );
  }

  private async align() {
    const { text } = this;
    const words = await this.host.words();
    if (text === this.text) this.blocks = placeBlocks(text, blocksOf(text), words);
  }

  private listen(element: HTMLElement, pane: "page" | "text", signal: AbortSignal) {
    const lead = () => {
      this.leader = pane;
    };
    for (const type of ["pointerenter", "pointerdown", "wheel", "touchstart", "keydown", "focusin"])
      element.addEventListener(type, lead, { signal, passive: true });
    element.addEventListener("scroll", () => this.scrolled(pane), { signal, passive: true });
  }

  private scrolled(pane: "page" | "text") {
    if (pane !== this.leader || this.frame || !this.host.isTogether()) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (pane === "text") this.followText();
      else this.followPage();
    });
  }

  private followText() {
    const { view, blocks } = this;
    const { pane, size } = this.host.stage;
    if (!view || !size || atEdge(view.scroller, pane)) return;
    const line = referenceLine(view.scroller);
    const index = this.indexAt(view, line);
    const block = blocks.slice(0, index + 1).findLast(({ rect }) => rect);
    if (!block?.rect) return;
    const span = view.span(block);
    const share = clamp((line - span.top) / (span.bottom - span.top || 1));
    const [x0, y0, , y1] = block.rect;
    const { y } = this.host.stage.toClientPoint(x0, y0 + share * (y1 - y0));
    pane.scrollTop += y - referenceLine(pane);
  }

  private followPage() {
    const { view, blocks } = this;
    const { stage } = this.host;
    if (!view || !stage.size || atEdge(stage.pane, view.scroller)) return;
    const { y } = stage.toPagePoint(stage.centre().x, referenceLine(stage.pane));
    const block = blockNear(blocks, y);
    if (!block?.rect) return;
    const [, y0, , y1] = block.rect;
    const span = view.span(block);
    const at = span.top + clamp((y - y0) / (y1 - y0 || 1)) * (span.bottom - span.top);
    view.scroller.scrollTop += at - referenceLine(view.scroller);
  }

  /** The last block that begins at or above a line of the window. */
  private indexAt(view: ScrolledText, line: number) {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (view.span(this.blocks[middle]).top <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** When nothing waits to be painted. */
function whenIdle(work: () => void) {
  const schedule = globalThis.requestIdleCallback as typeof requestIdleCallback | undefined; // not in Safari
  if (schedule) schedule(work, { timeout: IDLE_WITHIN_MS });
  else work();
}

const clamp = (share: number) => Math.min(Math.max(share, 0), 1);

function referenceLine(pane: HTMLElement) {
  return pane.getBoundingClientRect().top + REFERENCE * pane.clientHeight;
}

/** At the beginning or end of one pane the other one is there, too. */
function atEdge(leading: HTMLElement, following: HTMLElement) {
  const end = leading.scrollHeight - leading.clientHeight;
  if (leading.scrollTop <= 0) following.scrollTop = 0;
  else if (leading.scrollTop >= end - 1) following.scrollTop = following.scrollHeight;
  else return false;
  return true;
}

/** The rendered text, whose elements say where they begin. */
export class RenderedScroll implements ScrolledText {
  constructor(readonly scroller: HTMLElement) {}

  span({ from }: TextBlock) {
    const elements = [...this.scroller.querySelectorAll<HTMLElement>("[data-from]")];
    const element = elements.findLast(({ dataset }) => Number(dataset.from) <= from);
    const { top, bottom } = (element ?? this.scroller).getBoundingClientRect();
    return { top, bottom };
  }
}
