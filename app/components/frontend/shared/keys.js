/** The map of a screen's keys: which key does what, for the listener and for the help. */

/**
 * An entry of the map.
 * @param {string} group
 * @param {string} name the key, as in KeyboardEvent.key
 * @param {string | null} run the action's name; null for a key that its control handles
 * @param {string} [does] what the help says; without it the entry is left out
 * @param {Partial<Pt.Key>} [more]
 * @returns {Pt.Key}
 */
export const key = (group, name, run, does, more = {}) => ({
  group,
  key: name,
  run,
  does,
  ...more,
});

/** The keys by group, for the help. @param {Pt.Key[]} map */
export function keyGroups(map) {
  /** @type {Map<string, { title: string, keys: { shown: string[], does: string }[] }>} */
  const groups = new Map();
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
 * @param {Element|ShadowRoot} root
 * @param {(event: KeyboardEvent) => void} handle
 * @returns {() => void} stop listening
 */
export function listenOnWindow(root, handle) {
  const abort = new AbortController();
  const { signal } = abort;
  window.addEventListener("keydown", handle, { capture: true, signal });
  for (const type of ["keydown", "keyup", "keypress"])
    root.addEventListener(type, (event) => event.stopPropagation(), { signal });
  return () => abort.abort();
}
