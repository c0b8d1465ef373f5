/** One observable record that all parts of the screen read. */

/**
 * @typedef {Object} Store
 * @property {Pt.WorkspaceData} data current values; never assign to it, call `set`
 * @property {(patch: any) => void} set
 * @property {(work: () => void) => void} together runs watchers once for all that `work` sets
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
  /** @type {Set<string> | null} what has changed while watchers wait */
  let held = null;
  /** @param {Set<string>} changed */
  const notify = (changed) => {
    for (const { keys, handler } of watchers) {
      if (keys.some((key) => changed.has(key))) handler(store.data);
    }
  };
  const store = {
    data: { ...initial },
    /** @param {any} patch */
    set(patch) {
      const changed = Object.keys(patch).filter((key) => store.data[key] !== patch[key]);
      if (!changed.length) return;
      Object.assign(store.data, patch);
      if (held) for (const key of changed) held.add(key);
      else notify(new Set(changed));
    },
    /** @param {() => void} work */
    together(work) {
      if (held) {
        work();
        return;
      }
      const changed = new Set();
      held = changed;
      try {
        work();
      } finally {
        held = null;
        notify(changed);
      }
    },
    /** @param {string[]} keys @param {(data: Pt.WorkspaceData) => void} handler */
    watch(keys, handler) {
      watchers.push({ keys, handler });
    },
  };
  return store;
}
