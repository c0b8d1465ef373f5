/** Panning a pane with the pointer, and what the wheel means for its zoom. */

/** Whether a pointer is on one of the pane's scroll bars. */
export function isOnScrollBar(pane: HTMLElement, event: PointerEvent) {
  if (event.target !== pane) return false;
  const rect = pane.getBoundingClientRect();
  return (
    event.clientX - rect.left > pane.clientWidth || event.clientY - rect.top > pane.clientHeight
  );
}

/** By how much a turn of the wheel zooms. */
export function wheelFactor(event: WheelEvent) {
  const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
  return Math.exp(-Math.max(-120, Math.min(120, pixels)) / 600);
}

/** Pan with the primary or the middle button until it is released; touch scrolls by itself. */
export function grab(pane: HTMLElement, event: PointerEvent) {
  if (event.pointerType === "touch" || (event.button !== 0 && event.button !== 1)) return;
  if (event.button === 1) event.preventDefault();
  const { clientX, clientY } = event;
  const { scrollLeft, scrollTop } = pane;
  const abort = new AbortController();
  const { signal } = abort;
  const stop = () => {
    pane.classList.remove("grabbing");
    abort.abort();
  };
  pane.setPointerCapture(event.pointerId);
  pane.addEventListener(
    "pointermove",
    (moved) => {
      pane.classList.add("grabbing");
      pane.scrollLeft = scrollLeft - (moved.clientX - clientX);
      pane.scrollTop = scrollTop - (moved.clientY - clientY);
    },
    { signal },
  );
  pane.addEventListener("pointerup", stop, { signal });
  pane.addEventListener("pointercancel", stop, { signal });
}
