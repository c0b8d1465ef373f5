import assert from "node:assert/strict";
import { test } from "node:test";
import {
  saveQueue,
  takeOverQueues,
} from "../../app/components/frontend/workspace/sync/browser_storage";
import { bodyOf } from "../../app/components/frontend/workspace/sync/event_batches";

const DAY_MS = 86400000;

class Storage {
  /** @param {string} key */
  getItem(key) {
    return /** @type {any} */ (this)[key] ?? null;
  }
  /** @param {string} key @param {string} value */
  setItem(key, value) {
    /** @type {any} */ (this)[key] = value;
  }
  /** @param {string} key */
  removeItem(key) {
    delete (/** @type {any} */ (this)[key]);
  }
}
/** @type {any} */ (globalThis).localStorage = new Storage();

/** @param {number} ms on the computer's clock from now on */
function setClock(ms) {
  Date.now = () => ms;
}

/** @param {string} id @param {number} at @returns {any} */
function event(id, at) {
  return { id, session: "s", type: "note_edited", payload: {}, client_ts: "", at, mono: null };
}

test("ages stay within what the server takes, however the computer's clock was set", () => {
  for (const [now, age] of [
    [1000 * DAY_MS, 0],
    [999 * DAY_MS, 0],
    [1002 * DAY_MS, 2 * DAY_MS],
    [1031 * DAY_MS, 30 * DAY_MS],
    [9000 * DAY_MS, 30 * DAY_MS],
  ]) {
    setClock(now);
    assert.equal(bodyOf([event("1", 1000 * DAY_MS)]).events[0].age_ms, age);
  }
});

test("work of a closed tab keeps its order when the clock was set back while it was done", () => {
  setClock(1000 * DAY_MS);
  saveQueue("a", "old", [
    event("1", 1000 * DAY_MS),
    event("2", 1000 * DAY_MS + 1),
    event("3", 999 * DAY_MS),
    event("4", 999 * DAY_MS + 1),
  ]);
  saveQueue("a", "other", [event("5", 1000 * DAY_MS + 1), event("6", 1000 * DAY_MS + 2)]);
  setClock(1001 * DAY_MS);
  const ids = takeOverQueues("a", null).map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id) => id < "5"),
    ["1", "2", "3", "4"],
  );
  assert.deepEqual(ids.slice().sort(), ["1", "2", "3", "4", "5", "6"]);
});

test("a closed tab's work is taken over although the clock is behind its last sign of life", () => {
  setClock(1000 * DAY_MS);
  saveQueue("a", "old", [event("1", 1000 * DAY_MS)]);
  setClock(1000 * DAY_MS + 1000);
  assert.deepEqual(takeOverQueues("a", null), [], "it may be live");
  setClock(999 * DAY_MS);
  assert.deepEqual(
    takeOverQueues("a", null).map(({ id }) => id),
    ["1"],
  );
});
