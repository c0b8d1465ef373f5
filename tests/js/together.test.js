import assert from "node:assert/strict";
import { test } from "node:test";
import { effect } from "@preact/signals";
import { createStore } from "../../app/components/frontend/shared/store";
import { fillBox } from "../../app/components/frontend/workspace/boxes/box_filling";
import { Outbox } from "../../app/components/frontend/workspace/sync/outbox";

/** @type {Map<string, string>} */
const stored = new Map();
/** @type {any} */ (globalThis).localStorage = {
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
  removeItem: (/** @type {string} */ key) => stored.delete(key),
};

/** An outbox whose requests the test answers. */
function outboxOf() {
  /** @type {{types: string[], ids: string[], kept: string, answer: (reply: any) => void}[]} */
  const requests = [];
  /** @type {any[]} */
  const refusals = [];
  let n = 0;
  const outbox = new Outbox(
    /** @type {any} */ ({
      attempt: "a",
      session: "s",
      seq: 0,
      content: [],
      nextId: () => `s-${++n}`,
      send: (/** @type {any} */ { events }) =>
        new Promise((answer) =>
          requests.push({
            types: events.map((/** @type {any} */ event) => event.type),
            ids: events.map((/** @type {any} */ event) => event.id),
            kept: [...stored.values()].join(),
            answer,
          }),
        ),
      onReply() {},
      onRefusal: (/** @type {any} */ refusal, /** @type {any} */ event) =>
        refusals.push([refusal.code, event.type]),
      onStatus() {},
      onChange() {},
    }),
  );
  return { outbox, requests, refusals };
}

test("what is recorded together is kept before it goes out, in one request, in order", () => {
  const { outbox, requests } = outboxOf();
  outbox.together(() => {
    outbox.add("box_drawn", { box: "b" });
    outbox.together(() => outbox.add("box_content_edited", { box: "b" }));
    assert.equal(requests.length, 0);
  });
  assert.deepEqual(requests[0]?.types, ["box_drawn", "box_content_edited"]);
  for (const id of requests[0]?.ids ?? []) assert.match(requests[0]?.kept ?? "", new RegExp(id));
});

test("a refused event takes nothing with it: the one before is stored, the rest goes on", async () => {
  const { outbox, requests, refusals } = outboxOf();
  /** @type {any[]} */
  const results = [];
  outbox.together(() => {
    for (const type of ["box_drawn", "box_content_edited"])
      outbox.add(type, {}).result.then((result) => results.push(result));
  });
  outbox.add("box_moved", {});
  requests[0]?.answer({
    receipts: [{ id: "s-1", seq: 1 }],
    refusals: [{ id: "s-2", code: "too_long" }],
    last_seq: 1,
  });
  while (requests.length < 2) await new Promise((done) => setTimeout(done));
  assert.deepEqual(refusals, [["too_long", "box_content_edited"]]);
  assert.deepEqual(requests[1]?.types, ["box_moved"]);
  assert.deepEqual(
    results.map(({ receipt, refusal }) => [receipt?.seq, refusal?.code]),
    [
      [1, undefined],
      [undefined, "too_long"],
    ],
  );
});

test("work that fails half-way leaves what it recorded, kept and on its way", () => {
  const { outbox, requests } = outboxOf();
  assert.throws(() =>
    outbox.together(() => {
      outbox.add("box_drawn", {});
      throw new Error("drawing failed");
    }),
  );
  assert.deepEqual(requests[0]?.types, ["box_drawn"]);
  assert.match(requests[0]?.kept ?? "", /box_drawn/);
});

test("effects follow a set, once for all that is set together, with the values at the end", () => {
  const store = createStore({ a: 1, b: 1, c: 1 });
  const seen = [];
  effect(() => seen.push([store.a.value, store.b.value]));
  effect(() => seen.push(store.c.value));
  store.set({ a: 2 });
  store.setTogether(() => {
    store.set({ a: 3 });
    store.setTogether(() => store.set({ b: 2 }));
    store.set({ b: 3 });
    assert.equal(store.b.value, 3);
    assert.equal(seen.length, 3);
  });
  store.set({ a: 3 });
  store.set({ c: 2 });
  assert.deepEqual(seen, [[1, 1], 1, [2, 1], [3, 3], 2]);
});

/** What drawing needs: a box on a page whose words are there, or come when the test says. */
function toolWith(/** @type {any} */ known, /** @type {Promise<any>} */ coming) {
  /** @type {any[]} */
  const recorded = [];
  const box = { id: "b", document: "d.pdf", page: 1, rect: [0, 0, 50, 20], content: null };
  const tool = {
    attempt: {
      id: "a",
      mayEdit: true,
      record: (/** @type {string} */ type, /** @type {any} */ { content }) =>
        recorded.push([type, content]),
    },
    data: {
      protocol: { boxes: { content: true, fill: true } },
      state: { boxes: { boxes: [box] } },
    },
    words: { known: () => known, load: () => coming },
  };
  return { tool: /** @type {any} */ (tool), box, recorded };
}

const WORDS = [[1, 1, 20, 12, "thirteen"]];
const FILLED = [["box_content_edited", "thirteen"]];

test("a box's text is recorded with the box where the page's words are there", () => {
  const { tool, recorded } = toolWith(WORDS, Promise.resolve([]));
  fillBox(tool, "b", null);
  assert.deepEqual(recorded, FILLED);
});

test("else once they are, unless the box has moved on or somebody has written meanwhile", async () => {
  /** @type {[any, any[]][]} */
  const cases = [
    [{}, FILLED],
    [{ rect: [0, 0, 60, 20] }, []],
    [{ deleted: true }, []],
    [{ content: "my own" }, []],
  ];
  for (const [meanwhile, expected] of cases) {
    const coming = Promise.resolve(WORDS);
    const { tool, box, recorded } = toolWith(null, coming);
    fillBox(tool, "b", null);
    assert.deepEqual(recorded, []);
    tool.data.state.boxes.boxes = [{ ...box, ...meanwhile }];
    await coming;
    await Promise.resolve();
    assert.deepEqual(recorded, expected);
  }
});
