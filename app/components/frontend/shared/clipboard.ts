/** Copying and pasting by keys. */

/** The element that has the focus, through shadow roots; null if none has it. */
export function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused === document.body ? null : focused;
}

/**
 * Listen on the window, since Firefox and WebKit send these events to the body or to the host of a
 * shadow root, whatever has the focus inside.
 * @param handle is given the element that has the focus
 * @returns stop listening
 */
export function listenToClipboard(
  type: "copy" | "paste",
  handle: (event: ClipboardEvent, focused: Element | null) => void,
): () => void {
  const abort = new AbortController();
  window.addEventListener(
    type,
    (event) => {
      if (!event.defaultPrevented) handle(event, focusedElement());
    },
    { capture: true, signal: abort.signal },
  );
  return () => abort.abort();
}
