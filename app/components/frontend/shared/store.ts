/** One observable record that all parts of a screen read. */

import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { options } from "preact";

export type Store<Values extends object> = StoreMethods<Values> & {
  /** One signal per value: a component that reads `store.page.value` is rendered when it changes. */
  readonly [Key in keyof Values]-?: ReadonlySignal<Values[Key]>;
};

interface StoreMethods<Values> {
  /** The current values, for code outside of components; reading them subscribes to nothing. */
  readonly data: Readonly<Values>;
  /** The same for functions that components call: what one reads, it is rendered again for. */
  readonly tracked: Readonly<Values>;
  /** Components and watchers have followed when it returns. */
  set(patch: Partial<Values>): void;
  /** Let components and watchers follow once, after all that `work` sets. */
  together(work: () => void): void;
  /** Call `handler` when one of the keys gets another value; for code that is no component yet. */
  watch(keys: readonly (keyof Values)[], handler: (values: Values) => void): void;
}

type Watcher<Values> = { keys: readonly (keyof Values)[]; handler: (values: Values) => void };

let render: (() => void) | null = null;

// Preact renders in a microtask. A store has it done before `set` returns, so that what follows can
// focus or measure what is on screen.
options.debounceRendering = (process) => {
  render = process;
  queueMicrotask(process);
};

function renderNow() {
  const process = render;
  render = null;
  process?.();
}

export function createStore<Values extends object>(initial: Values): Store<Values> {
  const values = { ...initial };
  const signals = new Map<PropertyKey, Signal>();
  const watchers: Watcher<Values>[] = [];
  let held: Set<keyof Values> | null = null;
  let depth = 0;

  const follow = (changed: Set<keyof Values>) => {
    depth += 1;
    try {
      for (const { keys, handler } of watchers) {
        if (keys.some((key) => changed.has(key))) handler(values);
      }
    } finally {
      depth -= 1;
      if (depth === 0) renderNow();
    }
  };

  const signalOf = (key: PropertyKey) => {
    let source = signals.get(key);
    if (!source) {
      source = signal(values[key as keyof Values]);
      signals.set(key, source);
    }
    return source;
  };

  const methods: StoreMethods<Values> = {
    data: values,
    tracked: new Proxy(values, { get: (_, key) => signalOf(key).value }),
    set(patch) {
      const changed = (Object.keys(patch) as (keyof Values)[]).filter(
        (key) => values[key] !== patch[key],
      );
      if (!changed.length) return;
      Object.assign(values, patch);
      batch(() => {
        for (const key of changed) {
          const source = signals.get(key);
          if (source) source.value = values[key];
        }
      });
      if (held) for (const key of changed) held.add(key);
      else follow(new Set(changed));
    },
    together(work) {
      if (held) {
        work();
        return;
      }
      const changed = new Set<keyof Values>();
      held = changed;
      try {
        batch(work);
      } finally {
        held = null;
        follow(changed);
      }
    },
    watch(keys, handler) {
      watchers.push({ keys, handler });
    },
  };

  return new Proxy(methods, {
    get(target, key) {
      return key in target ? target[key as keyof StoreMethods<Values>] : signalOf(key);
    },
  }) as Store<Values>;
}
