/** Which card's page is previewed, and where: after pointing at it for a moment, or by keyboard. */

import { type ReadonlySignal, signal } from "@preact/signals";

const DELAY_MS = 300;
const MARGIN = 8;
/** Enough to recognise a page; whoever wants to read it opens it, which is recorded. */
const MAX_HEIGHT = 400;
/** With less space under a card, the preview goes beside it. */
const MIN_HEIGHT_UNDER = 260;

type Area = Record<"left" | "top" | "width" | "height", number>;

export interface PreviewedPage {
  address: string;
  area: Area;
}

/**
 * Where a preview goes: under its card, or beside it where there is too little space; in the window.
 * @param ratio width by height of the page
 * @param size of the window
 */
export function previewArea(
  card: { left: number; right: number; top: number; bottom: number },
  ratio: number,
  size: { width: number; height: number },
): Area {
  const below = size.height - card.bottom - 2 * MARGIN;
  const isUnder = below >= MIN_HEIGHT_UNDER;
  const maxHeight = Math.min(MAX_HEIGHT, isUnder ? below : size.height - 2 * MARGIN);
  const height = Math.min(maxHeight, (size.width - 2 * MARGIN) / ratio);
  const width = height * ratio;
  const fitsRight = card.right + MARGIN + width <= size.width - MARGIN;
  const beside = fitsRight ? card.right + MARGIN : card.left - MARGIN - width;
  const left = isUnder ? card.left : beside;
  const top = isUnder ? card.bottom + MARGIN : card.top;
  return {
    left: Math.max(MARGIN, Math.min(left, size.width - width - MARGIN)),
    top: Math.max(MARGIN, Math.min(top, size.height - height - MARGIN)),
    width,
    height,
  };
}

export class PreviewState {
  private readonly shown = signal<PreviewedPage | null>(null);
  private timer = 0;

  get page(): ReadonlySignal<PreviewedPage | null> {
    return this.shown;
  }

  /** Show a card's page if the pointer stays on it. */
  showSoon(card: HTMLElement, address: string, ratio: number) {
    this.timer = window.setTimeout(() => this.show(card, address, ratio), DELAY_MS);
  }

  /** @param ratio width by height of the page */
  show(card: HTMLElement, address: string, ratio: number) {
    window.clearTimeout(this.timer);
    const size = { width: window.innerWidth, height: window.innerHeight };
    const area = previewArea(card.getBoundingClientRect(), ratio, size);
    this.shown.value = { address, area };
  }

  hide() {
    window.clearTimeout(this.timer);
    this.shown.value = null;
  }
}
