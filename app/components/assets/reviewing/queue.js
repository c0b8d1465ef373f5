/**
 * The queue that a task was opened from: its filters are one value of the address, and the tasks
 * before and after are those of that queue.
 */

import { read, write } from "../shared/browser_store.js";

const STORE = "review-queue:";

/** The queue's own address, without what leads to it; empty for the whole queue. */
export function queueHere() {
  return new URLSearchParams(window.location.search).get("queue") ?? "";
}

/**
 * The screen of the queue as it was filtered when the task was chosen.
 * @param {string} home
 * @param {string} campaign
 */
export function queueScreen(home, campaign) {
  const query = new URLSearchParams(queueHere());
  query.set("campaign", campaign);
  return `${home}review?${query}`;
}

/** Have the address say which task is shown. @param {number} task */
export function showTask(task) {
  say({ task });
}

/**
 * Back from the workspace: the stored queue is put into the address again.
 * @param {number} task
 */
export function restoreQueue(task) {
  const queue = read(window.sessionStorage, STORE + task);
  write(window.sessionStorage, STORE + task, null);
  if (queue && !queueHere()) say({ queue });
}

/** @param {Record<string, string | number>} named */
function say(named) {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(named)) url.searchParams.set(name, String(value));
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

/**
 * Before leaving for the workspace, which leads back to the task alone: keep the queue.
 * @param {number} task
 */
export function keepQueue(task) {
  const queue = queueHere();
  if (queue) write(window.sessionStorage, STORE + task, queue);
}

/**
 * The place in words.
 * @param {{position: number|null, of: number, filtered: boolean}} queue
 * @returns {{text: string, title: string}}
 */
export function placeWords({ position, of, filtered }) {
  const name = filtered ? "filtered queue" : "queue";
  return position
    ? {
        text: `${position.toLocaleString("en")} of ${of.toLocaleString("en")}${filtered ? ", filtered" : ""}`,
        title: `Place in the ${name}`,
      }
    : {
        text: `${of.toLocaleString("en")} in the ${name}`,
        title: `This task is not in the ${name} now`,
      };
}

/** What is said at either end. @param {{ filtered: boolean }} given @param {number} by */
export function endWords({ filtered }, by) {
  const name = filtered ? "filtered queue" : "queue";
  return by > 0
    ? `There is no further task in the ${name}.`
    : `This is the first task of the ${name}.`;
}

/** What is said when the last one is decided. @param {{ filtered: boolean }} given */
export function doneWords({ filtered }) {
  return filtered
    ? "No other task of the filtered queue is left."
    : "The queue is done: no other task waits for a decision.";
}

/** The tasks around a place, to keep when the task leaves it. @param {Pt.Queue} queue */
export function wayOn({ next, previous, following }) {
  return { next, previous, following };
}
