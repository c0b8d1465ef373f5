/** Choices and reason of a task that is not decided yet; they outlive a reload of this tab. */

import { read, write } from "../../shared/browser_store";

const key = (task: number) => `review:${task}`;

export function kept(task: number): { picks: Pt.Selections; reason: string } | null {
  const found = read("session", key(task));
  return typeof found?.picks === "object"
    ? { picks: found.picks ?? {}, reason: String(found.reason ?? "") }
    : null;
}

/** Keep them; nothing to keep forgets them. */
export function keep(task: number, { picks, reason }: { picks: Pt.Selections; reason: string }) {
  const empty = !Object.keys(picks).length && !reason;
  write("session", key(task), empty ? null : { picks, reason });
}

export function forget(task: number) {
  write("session", key(task), null);
}
