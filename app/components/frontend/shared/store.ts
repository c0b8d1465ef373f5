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
  /** The current values, subscribing the component or effect that reads them. */
  readonly tracked: Readonly<Values>;
  /** Effects have run and components are rendered when it returns. */
  set(patch: Partial<Values>): void;
  /** Run effects and render components once, after everything that `work` sets. */
  setTogether(work: () => void): void;
}

let pendingRender: (() => void) | null = null;

// Preact renders in a microtask. A store has it done before `set` returns, so that what follows can
// focus or measure what is on screen.
options.debounceRendering = (process) => {
  pendingRender = process;
  queueMicrotask(process);
};

function renderNow() {
  const render = pendingRender;
  pendingRender = null;
  render?.();
}

export function createStore<Values extends object>(initial: Values): Store<Values> {
  const values = { ...initial };
  const signals = new Map<PropertyKey, Signal>();
  let isCollecting = false;

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
      if (!isCollecting) renderNow();
    },
    setTogether(work) {
      if (isCollecting) {
        work();
        return;
      }
      isCollecting = true;
      try {
        batch(work);
      } finally {
        isCollecting = false;
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
