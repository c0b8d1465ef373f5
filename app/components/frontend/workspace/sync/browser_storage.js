/** What outlives a reload in this browser: unsent events, typed text, the layout. */

import { PREFIX, read, write } from "../../shared/browser_store.js";

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
 * @param {string} attempt
 * @param {string} session
 * @param {any} events an empty list removes the entry
 */
export function saveQueue(attempt, session, events) {
  const value = events.length ? { beat: Date.now(), events } : null;
  write(localStorage, `queue:${attempt}:${session}`, value);
}

/**
 * Take over the unsent events that closed or crashed tabs left behind. Event ids are stable, so
 * sending one twice does no harm; a live tab's queue is left to it. The computer's clock may have
 * been set meanwhile: each queue keeps its order, and a sign of life from the future is none.
 * @param {string} attempt
 * @param {string|null} previous this tab's session before a reload
 * @returns {any[]}
 */
export function takeOverQueues(attempt, previous) {
  const start = `${PREFIX}queue:${attempt}:`;
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
  /** @type {{at: number, event: any}[]} */
  const found = [];
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

/**
 * Keep typed text that is not acknowledged.
 * @param {string} attempt
 * @param {string} field
 * @param {{text: string, base: string, seq: number}|null} draft `base` is the stored text that the
 *   typing started from, `seq` the last event known then
 */
export function saveDraft(attempt, field, draft) {
  write(localStorage, `draft:${attempt}:${field}`, draft);
}

/** The draft kept by {@link saveDraft}, or null. @param {string} attempt @param {string} field */
export function loadDraft(attempt, field) {
  return read(localStorage, `draft:${attempt}:${field}`);
}

/** The names of the texts of an attempt that have a draft. @param {string} attempt */
export function drafts(attempt) {
  const start = `${PREFIX}draft:${attempt}:`;
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(start));
  return keys.map((key) => key.slice(start.length));
}

/** Which panels are open, how wide; shared by all tasks. */
export function loadLayout() {
  return read(localStorage, "layout") ?? {};
}

/** Keep the layout. @param {any} layout */
export function saveLayout(layout) {
  write(localStorage, "layout", layout);
}
