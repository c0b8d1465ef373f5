/** One observable record that all parts of the screen read. */

export interface Store {
  /** current values; never assign to it, call `set` */
  data: Pt.WorkspaceData;
  set: (patch: any) => void;
  /** runs watchers once for all that `work` sets */
  together: (work: () => void) => void;
  watch: (keys: string[], handler: (data: Pt.WorkspaceData) => void) => void;
}

/** A store whose watchers run once per `set`, when one of their keys got another value. */
export function createStore(initial: any): Store {
  const watchers: { keys: string[]; handler: (data: Pt.WorkspaceData) => void }[] = [];
  /** what has changed while watchers wait */
  let held: Set<string> | null = null;
  const notify = (changed: Set<string>) => {
    for (const { keys, handler } of watchers) {
      if (keys.some((key) => changed.has(key))) handler(store.data);
    }
  };
  const store = {
    data: { ...initial },
    set(patch: any) {
      const changed = Object.keys(patch).filter((key) => store.data[key] !== patch[key]);
      if (!changed.length) return;
      Object.assign(store.data, patch);
      if (held) for (const key of changed) held.add(key);
      else notify(new Set(changed));
    },
    together(work: () => void) {
      if (held) {
        work();
        return;
      }
      const changed = new Set<string>();
      held = changed;
      try {
        work();
      } finally {
        held = null;
        notify(changed);
      }
    },
    watch(keys: string[], handler: (data: Pt.WorkspaceData) => void) {
      watchers.push({ keys, handler });
    },
  };
  return store;
}
