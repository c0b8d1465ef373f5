/**
 * The queue that a task was opened from: its filters are one value of the address, and the tasks
 * before and after are those of that queue.
 */

import { read, write } from "../shared/browser_store";
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
  const queue = read(window.sessionStorage, STORE + task);
  write(window.sessionStorage, STORE + task, null);
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
  if (queue) write(window.sessionStorage, STORE + task, queue);
}

function named({ filtered, campaigns }: Named) {
  return `${filtered ? "filtered " : ""}queue${campaigns > 1 ? ` of ${campaigns} campaigns` : ""}`;
}

/** The place in words. */
export function placeWords(queue: Named & { position: number | null; of: number }): {
  text: string;
  title: string;
} {
  const { position, of, filtered, campaigns } = queue;
  const name = named(queue);
  const whose = `${campaigns > 1 ? `, ${campaigns} campaigns` : ""}${filtered ? ", filtered" : ""}`;
  return position
    ? { text: `${grouped(position)} of ${grouped(of)}${whose}`, title: `Place in the ${name}` }
    : { text: `${grouped(of)} in the ${name}`, title: `This task is not in the ${name} now` };
}

/** What is said at either end. */
export function endWords(queue: Named, by: number) {
  const name = named(queue);
  return by > 0
    ? `There is no further task in the ${name}.`
    : `This is the first task of the ${name}.`;
}

/** What is said when the last one is decided. */
export function doneWords(queue: Named) {
  const name = named(queue);
  return queue.filtered
    ? `No other task of the ${name} is left.`
    : `The ${name} is done: no other task waits for a decision.`;
}

/** The tasks around a place, to keep when the task leaves it. */
export function wayOn({ next, previous, following }: Pt.QueuePosition) {
  return { next, previous, following };
}
