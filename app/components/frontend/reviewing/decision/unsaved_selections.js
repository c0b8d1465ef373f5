/** Choices and reason of a task that is not decided yet; they outlive a reload of this tab. */

import { read, write } from "../../shared/browser_store.js";

/** @param {number} task */
const key = (task) => `review:${task}`;

/** @param {number} task @returns {{picks: Pt.Selections, reason: string}|null} */
export function kept(task) {
  const found = read(window.sessionStorage, key(task));
  return typeof found?.picks === "object"
    ? { picks: found.picks ?? {}, reason: String(found.reason ?? "") }
    : null;
}

/**
 * Keep them; nothing to keep forgets them.
 * @param {number} task
 * @param {{picks: Pt.Selections, reason: string}} unsaved
 */
export function keep(task, { picks, reason }) {
  const empty = !Object.keys(picks).length && !reason;
  write(window.sessionStorage, key(task), empty ? null : { picks, reason });
}

/** @param {number} task */
export function forget(task) {
  write(window.sessionStorage, key(task), null);
}
