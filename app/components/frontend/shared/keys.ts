/** The map of a screen's keys: which key does what, for the listener and for the help. */

/**
 * An entry of the map.
 * @param name the key, as in KeyboardEvent.key
 * @param run the action's name; null for a key that its control handles
 * @param does what the help says; without it the entry is left out
 */
export const key = (
  group: string,
  name: string,
  run: string | null,
  does?: string,
  more: Partial<Pt.Key> = {},
): Pt.Key => ({ group, key: name, run, does, ...more });

/** The keys by group, for the help. */
export function keyGroups(map: Pt.Key[]) {
  const groups: Map<string, { title: string; keys: { shown: string[]; does: string }[] }> =
    new Map();
  for (const { group, key: name, shown, does } of map) {
    if (!does) continue;
    const known = groups.get(group) ?? { title: group, keys: [] };
    groups.set(group, known);
    known.keys.push({ shown: shown ?? [name], does });
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
