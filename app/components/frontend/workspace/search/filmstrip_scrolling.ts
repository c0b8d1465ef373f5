/** Scrolling of the filmstrip: which films have come into view, and keeping the open one there. */

import type { RefObject } from "preact";

/** Tells films, once, that they are in view or about to be. */
export class Sightings {
  private observer: IntersectionObserver | null = null;
  private readonly handlers = new Map<Element, () => void>();

  constructor(private readonly strip: RefObject<Element | null>) {}

  /** @returns stop */
  watch(film: Element, onSeen: () => void) {
    this.observer ??= new IntersectionObserver((entries) => this.see(entries), {
      root: this.strip.current,
      rootMargin: "0px 320px",
    });
    this.handlers.set(film, onSeen);
    this.observer.observe(film);
    return () => this.forget(film);
  }

  stop() {
    this.observer?.disconnect();
  }

  private see(entries: IntersectionObserverEntry[]) {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.handlers.get(target)?.();
      this.forget(target);
    }
  }

  private forget(film: Element) {
    this.observer?.unobserve(film);
    this.handlers.delete(film);
  }
}

/** Scroll the strip, and nothing else, to an item that is not in view; not while it is collapsed. */
export function revealItem(strip: HTMLElement, index: number) {
  const item = strip.children[index];
  const { scrollLeft, clientWidth } = strip;
  if (!(item instanceof HTMLElement) || !clientWidth) return;
  const { offsetLeft, offsetWidth } = item;
  const left = offsetLeft - offsetWidth;
  const right = offsetLeft + 2 * offsetWidth;
  if (left >= scrollLeft && right <= scrollLeft + clientWidth) return;
  strip.scrollLeft = offsetLeft - (clientWidth - offsetWidth) / 2;
}
