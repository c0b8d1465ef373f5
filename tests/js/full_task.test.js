import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../app/components/frontend/shared/api";
import { retryDelay } from "../../app/components/frontend/workspace/sync/event_batches";
import { Outbox } from "../../app/components/frontend/workspace/sync/outbox";

/** @type {Map<string, string>} */
const stored = new Map();
/** @type {any} */ (globalThis).localStorage = {
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
  removeItem: (/** @type {string} */ key) => stored.delete(key),
};

/** @param {(body: any) => Promise<any>} send @param {any[]} [events] left over before a reload */
function outboxOf(send, events = []) {
  /** @type {any[]} */
  const statuses = [];
  let n = 0;
  const outbox = new Outbox(
    /** @type {any} */ ({
      attempt: "a",
      session: "s",
      seq: 0,
      content: ["note_edited"],
      events,
      nextId: () => `s-${++n}`,
      send,
      onReply() {},
      onRefusal: () => assert.fail("a full task is shown once, not with each event"),
      onStatus: (/** @type {any} */ status) => statuses.push(status),
      onChange() {},
    }),
  );
  return { outbox, statuses };
}

test("what a full task refuses stays in this browser, is not sent again, and lets the end pass", async () => {
  /** @type {string[][]} */
  const requests = [];
  const { outbox, statuses } = outboxOf(async ({ events }) => {
    requests.push(events.map((/** @type {any} */ { type }) => type));
    const [{ id, type }] = events;
    if (type === "skipped") return { receipts: [{ id, seq: 8 }], refusals: [], last_seq: 8 };
    const refusal = { id, code: "attempt_full", message: "The task is full.", field: null };
    return { receipts: [], refusals: [refusal], last_seq: 7 };
  });
  const { event, result } = outbox.add("note_edited", { text: "my last words" });
  assert.equal((await result).refusal.code, "attempt_full");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(statuses.at(-1), { kind: "full", message: "The task is full." });
  assert.deepEqual(
    outbox.unsaved.map(({ id }) => id),
    [event.id],
  );
  outbox.kick();
  const end = outbox.add("skipped", { reason: "full" });
  assert.equal((await end.result).receipt.seq, 8);
  assert.deepEqual(requests, [["note_edited"], ["skipped"]]);
  assert.match([...stored.values()].join(), /my last words/);
});

test("it stays after a reload too, when the task has ended meanwhile", async () => {
  const kept = JSON.parse([...stored.values()].join()).events;
  stored.clear();
  const { outbox, statuses } = outboxOf(async ({ events }) => {
    const refusals = events.map((/** @type {any} */ { id }) => ({
      id,
      code: "finished",
      message: "This task is skipped.",
      field: null,
    }));
    return { receipts: [], refusals, last_seq: 8 };
  }, kept);
  outbox.kick();
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(statuses.at(-1), { kind: "full", message: "The task is full." });
  assert.match([...stored.values()].join(), /my last words/);
  assert.equal(outbox.queue.length, 0);
});

test("a final refusal is shown, and what was not sent stays in this browser", async () => {
  stored.clear();
  let requests = 0;
  const { outbox, statuses } = outboxOf(async () => {
    requests += 1;
    throw new ApiError("final", "Open the task again.", { status: 403, code: "forbidden" });
  });
  outbox.add("note_edited", { text: "three midnights later" });
  await new Promise((resolve) => setTimeout(resolve));
  outbox.add("note_edited", { text: "and more" });
  outbox.kick();
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(statuses, [{ kind: "stopped", message: "Open the task again." }]);
  assert.equal(requests, 1, "it is not asked for ever");
  assert.match([...stored.values()].join(), /three midnights later.*and more/);
});

test("a server that is busy says why, and is asked again when it says", async () => {
  const { outbox, statuses } = outboxOf(async () => {
    const info = { status: 429, code: "busy", retryAfter: 4 };
    throw new ApiError("retry", "More changes come in than are stored at once.", info);
  });
  outbox.add("note_edited", { text: "x" });
  await new Promise((resolve) => setTimeout(resolve));
  outbox.stopped = true;
  outbox.kick();
  assert.deepEqual(statuses[0], {
    kind: "busy",
    message: "More changes come in than are stored at once.",
  });
  for (let n = 0; n < 50; n += 1) {
    const wait = retryDelay(1, 4);
    assert.ok(wait >= 4000 && wait <= 4600, `${wait}`);
  }
  assert.ok(retryDelay(1) <= 500);
  assert.ok(retryDelay(1, 9999) <= 69000, "nobody is sent away for hours");
});
