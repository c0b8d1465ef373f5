import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore } from "../../app/components/frontend/shared/store";
import { createOutbox } from "../../app/components/frontend/workspace/sync/traffic";

/** @type {any} */ (globalThis).localStorage = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem() {},
  removeItem() {},
};

/** An attempt whose requests the test answers. */
function attemptOf() {
  /** @type {((reply: any) => void)[]} */
  const answers = [];
  let n = 0;
  const attempt = {
    id: "a",
    session: "s",
    previousSession: null,
    offlineSince: Number.NEGATIVE_INFINITY,
    outboxes: new Map(),
    store: createStore({
      attempt: "a",
      connection: { kind: "online" },
      pending: 0,
      savedAt: null,
      state: { status: "open", draft_seq: 0 },
      waiting: new Map(),
      lost: [],
    }),
    limit: { heard() {} },
    hooks: { onText() {}, onWritten() {} },
    api: { events: () => new Promise((answer) => answers.push(answer)) },
    nextId: () => `s-${++n}`,
  };
  const boot = { attempt: "a", state: { last_seq: 0 }, event_types: { content: [] } };
  const outbox = createOutbox(/** @type {any} */ (attempt), /** @type {any} */ (boot));
  Object.assign(attempt, { outbox });
  return { attempt, outbox, answers };
}

const replyTo = (/** @type {string} */ id, /** @type {number} */ seq) => ({
  receipts: [{ id, seq, server_ts: "2026-11-26T12:00:00Z" }],
  refusals: [],
  last_seq: seq,
});

test("events are sent on after an error while an answer is shown", async () => {
  const { outbox, answers } = attemptOf();
  const { onReply } = outbox;
  outbox.onReply = () => {
    outbox.onReply = onReply;
    throw new Error("a view failed");
  };
  const pump = outbox.pump.bind(outbox);
  /** @type {Promise<void> | undefined} */
  let pumped;
  outbox.pump = () => {
    pumped ??= pump();
    return pumped;
  };
  const first = outbox.add("answer_edited", {});
  answers[0]?.(replyTo(first.event.id, 1));
  assert.equal((await first.result).receipt?.seq, 1);
  await assert.rejects(pumped ?? Promise.resolve(), /a view failed/);
  outbox.pump = pump;
  const second = outbox.add("answer_edited", {});
  answers[1]?.(replyTo(second.event.id, 2));
  assert.equal((await second.result).receipt?.seq, 2);
});

test("an answer to what was sent before an outage does not end it, a later one does", async () => {
  const { attempt, outbox, answers } = attemptOf();
  const before = outbox.add("answer_edited", {});
  attempt.offlineSince = performance.now();
  attempt.store.set({ connection: { kind: "offline" } });
  answers[0]?.(replyTo(before.event.id, 1));
  assert.equal((await before.result).receipt?.seq, 1);
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert.equal(attempt.store.data.connection.kind, "offline");
  const after = outbox.add("answer_edited", {});
  answers[1]?.(replyTo(after.event.id, 2));
  await after.result;
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(attempt.store.data.connection.kind, "online");
});
