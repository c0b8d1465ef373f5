/**
 * A reviewer's choices and reason for a task that is not decided yet; they outlive a reload of this
 * tab, and signing in again.
 */

import { read, write } from "../../shared/browser_store";

const key = (reviewer: number, task: number) => `review:${reviewer}:${task}`;

export function kept(
  reviewer: number,
  task: number,
): { picks: Pt.Selections; reason: string } | null {
  const found = read("session", key(reviewer, task));
  return typeof found?.picks === "object"
    ? { picks: found.picks ?? {}, reason: String(found.reason ?? "") }
    : null;
}

/** Keep them; nothing to keep forgets them. */
export function keep(
  reviewer: number,
  task: number,
  { picks, reason }: { picks: Pt.Selections; reason: string },
) {
  const empty = !Object.keys(picks).length && !reason;
  write("session", key(reviewer, task), empty ? null : { picks, reason });
}

export function forget(reviewer: number, task: number) {
  write("session", key(reviewer, task), null);
}
