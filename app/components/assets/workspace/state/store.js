/** One observable record that all parts of the screen read. */

/**
 * @typedef {Object} Store
 * @property {Pt.WorkspaceData} data current values; never assign to it, call `set`
 * @property {(patch: any) => void} set
 * @property {(keys: string[], handler: (data: Pt.WorkspaceData) => void) => void} watch
 */

/**
 * A store whose watchers run once per `set`, when one of their keys got another value.
 * @param {any} initial
 * @returns {Store}
 */
export function createStore(initial) {
  /** @type {{ keys: string[], handler: (data: Pt.WorkspaceData) => void }[]} */
  const watchers = [];
  const store = {
    data: { ...initial },
    /** @param {any} patch */
    set(patch) {
      const changed = Object.keys(patch).filter((key) => store.data[key] !== patch[key]);
      if (!changed.length) return;
      Object.assign(store.data, patch);
      for (const { keys, handler } of watchers) {
        if (keys.some((key) => changed.includes(key))) handler(store.data);
      }
    },
    /** @param {string[]} keys @param {(data: Pt.WorkspaceData) => void} handler */
    watch(keys, handler) {
      watchers.push({ keys, handler });
    },
  };
  return store;
}
