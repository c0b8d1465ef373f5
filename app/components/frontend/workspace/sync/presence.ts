/** Tab hidden or shown, page left, connection back, other tabs of the same task. */

import type { Attempt } from "../state/attempt";
import { retryDelay } from "./event_batches";
import { noteWaiting } from "./waiting_tasks";

const FOCUS_PULL_MS = 1500;

interface PresenceHost {
  flushFields: () => void;
  onTick: () => void;
  onOnline: () => void;
  /** Stop listening if the screen was removed; returns whether it was. */
  stopIfGone: () => boolean;
}

export function watchPresence(
  attempt: Attempt,
  host: PresenceHost,
): { stop: () => void; reportWritten: (seq: number) => void } {
  const { store } = attempt;
  const abort = new AbortController();
  const on = <Type extends keyof WindowEventMap>(
    type: Type,
    handler: (event: WindowEventMap[Type]) => void,
  ) => window.addEventListener(type, handler, { signal: abort.signal });
  let lastPull = performance.now();

  const catchUp = () => {
    attempt.outbox.kick();
    if (performance.now() - lastPull < FOCUS_PULL_MS) return;
    lastPull = performance.now();
    attempt.pull();
  };
  const hide = () => {
    attempt.together(() => {
      host.flushFields();
      if (!store.data.state.hidden) attempt.record("tab_hidden", {});
    });
    attempt.clock.setRunning(false);
    attempt.news.stop();
  };
  const show = () => {
    if (store.data.state.hidden) attempt.record("tab_shown", {});
    attempt.clock.setRunning(!store.data.state.paused && !attempt.readOnly);
    attempt.news.start();
  };
  const changed = () => {
    if (document.hidden) {
      hide();
      return;
    }
    show();
    catchUp();
  };
  document.addEventListener("visibilitychange", changed, { signal: abort.signal });
  on("focus", catchUp);
  on("pagehide", () => {
    hide();
    for (const outbox of attempt.outboxes.values()) outbox.leave();
  });
  on("pageshow", (event) => {
    if (event.persisted) {
      // A draft that was left can be another's by now.
      if (attempt.left) window.location.reload();
      show();
      catchUp();
    }
  });
  let reconnecting = false;
  /** Ask until there is an answer: the first request after the network is back often fails. */
  const reconnect = async () => {
    if (reconnecting) return;
    reconnecting = true;
    for (let failures = 1; !abort.signal.aborted; failures += 1) {
      await attempt.pull();
      if (store.data.connection.kind !== "offline" || !navigator.onLine) break;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)));
    }
    reconnecting = false;
  };
  on("online", () => {
    for (const outbox of attempt.outboxes.values()) outbox.kick();
    void reconnect();
    host.onOnline();
  });
  on("offline", () => {
    attempt.offlineSince = performance.now();
    store.set({ connection: { kind: "offline" } });
    noteWaiting(attempt);
  });

  const channel = "BroadcastChannel" in window ? new BroadcastChannel("pagetrail") : null;
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (data?.attempt === attempt.id && data.seq > attempt.outbox.seq) attempt.pull();
    };
  }
  const timer = setInterval(() => {
    if (host.stopIfGone()) return;
    for (const outbox of attempt.outboxes.values()) if (!outbox.isEmpty) outbox.persist();
    host.onTick();
  }, 1000);

  attempt.news.start();

  return {
    reportWritten: (seq) => channel?.postMessage({ attempt: attempt.id, seq }),
    stop() {
      clearInterval(timer);
      attempt.news.stop();
      abort.abort();
      channel?.close();
    },
  };
}
