/**
 * The queue that a task was opened from: its filters are one value of the address, and the tasks
 * before and after are those of that queue.
 */

import { read, write } from "../shared/browser_store";
import { t } from "../shared/messages";
import { grouped } from "../shared/notation";

const STORE = "review-queue:";

/** what the queue is called */
export type Named = { filtered: boolean; campaigns: number };

/** The queue's own address, without what leads to it; empty for the task's whole campaign. */
export function queueHere() {
  return new URLSearchParams(window.location.search).get("queue") ?? "";
}

/** The screen of the queue as it was filtered when the task was chosen. */
export function queueScreen(home: string, { task, queue }: Pt.ReviewData) {
  const query = new URLSearchParams(queueHere());
  query.set("campaign", queue.campaign ?? task.campaign);
  return `${home}review?${query}`;
}

/** Have the address say which task is shown. */
export function showTask(task: number) {
  say({ task });
}

/** Back from the workspace: the stored queue is put into the address again. */
export function restoreQueue(task: number) {
  const queue = read("session", STORE + task);
  write("session", STORE + task, null);
  if (queue && !queueHere()) say({ queue });
}

function say(named: Record<string, string | number>) {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(named)) url.searchParams.set(name, String(value));
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

/** Before leaving for the workspace, which leads back to the task alone: keep the queue. */
export function keepQueue(task: number) {
  const queue = queueHere();
  if (queue) write("session", STORE + task, queue);
}

function named({ filtered, campaigns }: Named) {
  if (campaigns > 1)
    return filtered
      ? t("filtered queue of {campaigns} campaigns", { campaigns })
      : t("queue of {campaigns} campaigns", { campaigns });
  return filtered ? t("filtered queue") : t("queue");
}

/** The place in words. */
export function placeWords(queue: Named & { position: number | null; total: number }): {
  text: string;
  title: string;
} {
  const { position, total, filtered, campaigns } = queue;
  const name = named(queue);
  const place = t("{position} of {number}", {
    position: grouped(position ?? 0),
    number: grouped(total),
  });
  const details = [
    campaigns > 1 && t("{campaigns} campaigns", { campaigns }),
    filtered && t("filtered"),
  ];
  return position
    ? {
        text: [place, ...details].filter(Boolean).join(", "),
        title: t("Place in the {queue}", { queue: name }),
      }
    : {
        text: t("{number} in the {queue}", { number: grouped(total), queue: name }),
        title: t("This task is not in the {queue} now", { queue: name }),
      };
}

/** What is said at either end. */
export function endWords(queue: Named, by: number) {
  const name = named(queue);
  return by > 0
    ? t("There is no further task in the {queue}.", { queue: name })
    : t("This is the first task of the {queue}.", { queue: name });
}

/** What is said when the last one is decided. */
export function doneWords(queue: Named) {
  const name = named(queue);
  return queue.filtered
    ? t("No other task of the {queue} is left.", { queue: name })
    : t("The {queue} is done: no other task waits for a decision.", { queue: name });
}

/** The tasks around a place, to keep when the task leaves it. */
export function wayOn({ next, previous, following }: Pt.QueuePosition) {
  return { next, previous, following };
}
