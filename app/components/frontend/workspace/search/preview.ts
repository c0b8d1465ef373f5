/**
 * A result's page, large enough to recognise it, beside the card that is pointed at or has the
 * focus by the keyboard. It shows the card's own image and nothing more, so it is no reading.
 */

import { h } from "../../shared/dom";

const DELAY_MS = 300;
const MARGIN = 8;
/** Enough to recognise a page; whoever wants to read it opens it, which is recorded. */
const HIGHEST = 400;
/** Below it the space under a card is not worth it. */
const LEAST = 260;

/**
 * Where a preview goes: under its card, or beside it where there is too little space; in the window.
 * @param ratio width by height of the page
 * @param size of the window
 */
export function previewPlace(
  card: { left: number; right: number; top: number; bottom: number },
  ratio: number,
  size: { width: number; height: number },
) {
  const below = size.height - card.bottom - 2 * MARGIN;
  const under = below >= LEAST;
  const highest = Math.min(HIGHEST, under ? below : size.height - 2 * MARGIN);
  const widest = size.width - 2 * MARGIN;
  const height = Math.min(highest, widest / ratio);
  const width = height * ratio;
  const beside = card.right + MARGIN + width <= size.width - MARGIN;
  const left = under ? card.left : beside ? card.right + MARGIN : card.left - MARGIN - width;
  const top = under ? card.bottom + MARGIN : card.top;
  return {
    left: Math.max(MARGIN, Math.min(left, size.width - width - MARGIN)),
    top: Math.max(MARGIN, Math.min(top, size.height - height - MARGIN)),
    width,
    height,
  };
}

export class Preview {
  image: HTMLImageElement;
  element: HTMLDivElement;
  timer: number;
  escape: (event: KeyboardEvent) => void;
  hideNow: () => void;

  constructor() {
    this.image = h("img", { alt: "", draggable: "false" });
    this.element = h(
      "div",
      { class: "result-preview", popover: "manual", testid: "preview", "aria-hidden": "true" },
      this.image,
    );
    this.timer = 0;
    this.escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation(); // it closes this, and leaves nothing else
      this.hide();
    };
    this.hideNow = () => this.hide();
  }

  /**
   * Have a card show its page.
   * @param address of the image
   * @param ratio width by height of the page
   */
  follow(card: HTMLElement, address: string, ratio: number) {
    const show = () => this.show(card, address, ratio);
    card.addEventListener("pointerenter", ({ pointerType }) => {
      if (pointerType !== "touch") this.timer = setTimeout(show, DELAY_MS);
    });
    card.addEventListener("focus", () => card.matches(":focus-visible") && show());
    for (const end of ["pointerleave", "blur", "click"]) card.addEventListener(end, this.hideNow);
  }

  show(card: HTMLElement, address: string, ratio: number) {
    clearTimeout(this.timer);
    if (!card.isConnected) return;
    const place = previewPlace(card.getBoundingClientRect(), ratio, {
      width: window.innerWidth,
      height: window.innerHeight,
    });
    for (const [name, value] of Object.entries(place))
      this.element.style.setProperty(name, `${value}px`);
    this.image.src = address;
    this.element.showPopover();
    window.addEventListener("keydown", this.escape, true);
    window.addEventListener("scroll", this.hideNow, true);
  }

  hide() {
    clearTimeout(this.timer);
    window.removeEventListener("keydown", this.escape, true);
    window.removeEventListener("scroll", this.hideNow, true);
    if (this.element.isConnected && this.element.matches(":popover-open"))
      this.element.hidePopover();
  }
}
