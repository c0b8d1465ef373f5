/** What outlives a reload in this browser: unsent events, typed text, the layout. */

import { PREFIX, read, write } from "../../shared/browser_store";

const ORPHAN_AFTER_MS = 4000;

/** A fresh id for this visit of the tab; `previous` is the id before a reload. */
export function newSession() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const id = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const previous = read(sessionStorage, "session");
  write(sessionStorage, "session", id);
  return { id, previous };
}

/**
 * Keep the events of an attempt that are not acknowledged.
 * @param events an empty list removes the entry
 */
export function saveQueue(attempt: string, session: string, events: readonly unknown[]) {
  const value = events.length ? { beat: Date.now(), events } : null;
  write(localStorage, `queue:${attempt}:${session}`, value);
}

/**
 * Take over the unsent events that closed or crashed tabs left behind. Event ids are stable, so
 * sending one twice does no harm; a live tab's queue is left to it. The computer's clock may have
 * been set meanwhile: each queue keeps its order, and a sign of life from the future is none.
 * @param previous this tab's session before a reload
 */
export function takeOverQueues(attempt: string, previous: string | null): Pt.Event[] {
  const start = `${PREFIX}queue:${attempt}:`;
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
  const found: { at: number; event: Pt.Event }[] = [];
  for (const key of keys) {
    const name = key.slice(PREFIX.length);
    const entry = read(localStorage, name);
    const mine = key === start + previous;
    if (entry && !mine && Math.abs(Date.now() - entry.beat) < ORPHAN_AFTER_MS) continue;
    write(localStorage, name, null);
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
  write(localStorage, `draft:${attempt}:${field}`, draft);
}

/** The draft kept by {@link saveDraft}, or null. */
export function loadDraft(attempt: string, field: string): TextDraft | null {
  return read(localStorage, `draft:${attempt}:${field}`);
}

/** The names of the texts of an attempt that have a draft. */
export function drafts(attempt: string) {
  const start = `${PREFIX}draft:${attempt}:`;
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
  return keys.map((key) => key.slice(start.length));
}

/** Which panels are open, how wide; shared by all tasks. */
export function loadLayout(): Pt.StoredLayout {
  return read(localStorage, "layout") ?? {};
}

/** Keep the layout. */
export function saveLayout(layout: Pt.StoredLayout) {
  write(localStorage, "layout", layout);
}
