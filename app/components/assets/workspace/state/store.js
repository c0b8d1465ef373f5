/** One observable record that all parts of the screen read. */

/**
 * @typedef {Object} Store
 * @property {Object} data current values; never assign to it, call `set`
 * @property {(patch: Object) => void} set
 * @property {(keys: string[], handler: (data: Object) => void) => void} watch
 */

/**
 * A store whose watchers run once per `set`, when one of their keys got another value.
 * @param {Object} initial
 * @returns {Store}
 */
export function createStore(initial) {
  const watchers = [];
  const store = {
    data: { ...initial },
    set(patch) {
      const changed = Object.keys(patch).filter((key) => store.data[key] !== patch[key]);
      if (!changed.length) return;
      Object.assign(store.data, patch);
      for (const { keys, handler } of watchers) {
        if (keys.some((key) => changed.includes(key))) handler(store.data);
      }
    },
    watch(keys, handler) {
      watchers.push({ keys, handler });
    },
  };
  return store;
}
