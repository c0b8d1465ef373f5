/** Where a screen listens to its keys. */

/**
 * Listen on the window in the capture phase, as Streamlit keeps C and R for itself; what is typed
 * does not reach the shortcuts of the page around the screen.
 * @returns stop listening
 */
export function listenOnWindow(
  root: Element | ShadowRoot,
  handle: (event: KeyboardEvent) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  window.addEventListener("keydown", handle, { capture: true, signal });
  for (const type of ["keydown", "keyup", "keypress"])
    root.addEventListener(type, (event) => event.stopPropagation(), { signal });
  return () => abort.abort();
}
