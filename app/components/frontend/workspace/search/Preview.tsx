import { useLayoutEffect, useRef } from "preact/hooks";
import type { PreviewState } from "./preview_state";
import "./Preview.css";

/**
 * A result's page, large enough to recognise it, next to the card that is pointed at or has the
 * focus by the keyboard. It shows the card's own image and nothing more, so it is no reading.
 */
export function Preview({ state }: { state: PreviewState }) {
  const element = useRef<HTMLDivElement>(null);
  const page = state.page.value;
  useLayoutEffect(() => {
    const popover = element.current;
    if (!page || !popover) return;
    popover.showPopover();
    const abort = new AbortController();
    const options = { capture: true, signal: abort.signal };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation(); // it closes this, and leaves nothing else
      state.hide();
    };
    window.addEventListener("keydown", closeOnEscape, options);
    window.addEventListener("scroll", () => state.hide(), options);
    return () => {
      abort.abort();
      if (popover.isConnected) popover.hidePopover();
    };
  }, [page]);
  return (
    <div
      ref={element}
      class="result-preview"
      popover="manual"
      data-testid="preview"
      aria-hidden="true"
      style={page ? pixels(page.area) : undefined}
    >
      {page ? <img alt="" draggable={false} src={page.address} /> : null}
    </div>
  );
}

const pixels = (area: Record<string, number>) =>
  Object.fromEntries(Object.entries(area).map(([name, value]) => [name, `${value}px`]));
