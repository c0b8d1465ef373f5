/** What outlives a reload in this browser: unsent events, typed text, the layout. */

import { keysFrom, read, refusedKeys, retryRefused, write } from "../../shared/browser_store";
import { CrashCopies } from "./crash_copies";

const ORPHAN_AFTER_MS = 4000;
/** about what a long answer takes */
const PROBE = "x".repeat(16000);

const copies = new CrashCopies();

/** Keep unsent work, also if the browser's process is killed; null forgets it. */
function keep(key: string, value: Queue | (TextDraft & { beat: number }) | null) {
  write("local", key, value);
  copies.put(key, value);
}

/** Bring back what a killed browser has not written to its local storage, and free what closed tabs left. */
export async function restoreWork() {
  for (const [key, value] of await copies.values())
    if (beatOf(value) > beatOf(read("local", key))) write("local", key, value);
  const sessions = await openSessions();
  for (const key of sessions ? keysFrom("local", "queue:") : []) {
    const entry = read("local", key);
    const isOpen = sessions?.has(key.slice(key.lastIndexOf(":") + 1));
    if (entry && !isOpen) write("local", key, { ...entry, beat: 0 });
  }
}

/** Held by a tab as long as it is there; only over HTTPS or on one's own computer. */
const locks = () => globalThis.navigator?.locks as LockManager | undefined;
const LOCK = "pagetrail:session:";

/** The sessions of all tabs; null where this browser does not tell. */
async function openSessions() {
  const held = (await locks()?.query())?.held;
  return held ? new Set(held.map(({ name = "" }) => name.slice(LOCK.length))) : null;
}

const beatOf = (value: unknown) => (value as Partial<Queue> | null)?.beat ?? 0;

/** Events that are not acknowledged, and when that was last known. */
interface Queue {
  beat: number;
  events: readonly unknown[];
}

/** A fresh id for this visit of the tab, which other tabs see as open; `previous` is the id before a reload. */
export function newSession() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const id = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const previous = read("session", "session");
  write("session", "session", id);
  void locks()?.request(LOCK + id, () => new Promise(() => {}));
  return { id, previous };
}

/**
 * Keep the events of an attempt that are not acknowledged.
 * @param events an empty list removes the entry
 */
export function saveQueue(attempt: string, session: string, events: readonly unknown[]) {
  const value = events.length ? { beat: Date.now(), events } : null;
  keep(`queue:${attempt}:${session}`, value);
}

/**
 * Take over the unsent events that closed or crashed tabs left behind. Event ids are stable, so
 * sending one twice does no harm; a live tab's queue is left to it. The computer's clock may have
 * been set meanwhile: each queue keeps its order, and a sign of life from the future is none.
 * @param previous this tab's session before a reload
 */
export function takeOverQueues(attempt: string, previous: string | null): Pt.Event[] {
  const start = `queue:${attempt}:`;
  const found: { at: number; event: Pt.Event }[] = [];
  for (const key of keysFrom("local", start)) {
    const entry = read("local", key);
    const mine = key === start + previous;
    if (entry && !mine && Math.abs(Date.now() - entry.beat) < ORPHAN_AFTER_MS) continue;
    keep(key, null);
    let at = 0;
    for (const event of Array.isArray(entry?.events) ? entry.events : []) {
      at = Math.max(at, event.at);
      found.push({ at, event });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ event }) => event);
}

/** Typed text that is not acknowledged. */
interface TextDraft {
  text: string;
  /** the stored text that the typing started from */
  base: string;
  /** the last event known then */
  seq: number;
}

/** Keep a draft; null forgets it. */
export function saveDraft(attempt: string, field: string, draft: TextDraft | null) {
  keep(`draft:${attempt}:${field}`, draft && { ...draft, beat: Date.now() });
}

/** The draft kept by {@link saveDraft}, or null. */
export function loadDraft(attempt: string, field: string): TextDraft | null {
  return read("local", `draft:${attempt}:${field}`);
}

/** The names of the texts of an attempt that have a draft. */
export function drafts(attempt: string) {
  const start = `draft:${attempt}:`;
  return keysFrom("local", start).map((key) => key.slice(start.length));
}

/** Whether work is in this tab's memory only, after another try to store it. */
export function hasWorkInMemory() {
  retryRefused("local");
  return refusedKeys("local").some((key) => /^(queue|draft):/.test(key));
}

/** Whether this browser has room for work, and lets it be stored. */
export function canStoreWork() {
  const isStored = write("local", "probe", PROBE);
  write("local", "probe", null);
  return isStored;
}

/** Which panels are open, how wide; shared by all tasks. */
export function loadLayout(): Pt.StoredLayout {
  return read("local", "layout") ?? {};
}

/** Keep the layout. */
export function saveLayout(layout: Pt.StoredLayout) {
  write("local", "layout", layout);
}
