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
  /** Effects have run and components are rendered when it returns. */
  set(patch: Partial<Values>): void;
  /** Let effects and components follow once, after all that `work` sets. */
  together(work: () => void): void;
}

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
  let isHeld = false;

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
      if (!isHeld) renderNow();
    },
    together(work) {
      if (isHeld) {
        work();
        return;
      }
      isHeld = true;
      try {
        batch(work);
      } finally {
        isHeld = false;
        renderNow();
      }
    },
  };

  return new Proxy(methods, {
    get(target, key) {
      return key in target ? target[key as keyof StoreMethods<Values>] : signalOf(key);
    },
  }) as Store<Values>;
}
