/** A screen's keys, which are declared in Python: for its listener and for the help. */

/** The keys by group, for the help. */
export function keyGroups(keys: Pt.ScreenKey[]) {
  const groups: Map<string, { title: string; keys: Pt.ScreenKey[] }> = new Map();
  for (const key of keys) {
    if (!key.label) continue;
    const known = groups.get(key.group) ?? { title: key.group, keys: [] };
    groups.set(key.group, known);
    known.keys.push(key);
  }
  return [...groups.values()];
}

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
