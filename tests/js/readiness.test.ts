/** Nothing is judged unseen: not before it was painted, and not in its first 0.4 s under decision. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  type JudgedUnit,
  LOOK_MS,
  Readiness,
} from "../../app/components/frontend/shared/readiness";
import { FRAME_MS, Hand } from "./hand";

const unit = (id: string, ...looks: string[]): JudgedUnit => ({
  id,
  looks: looks.length ? looks : [id],
  hint: `look at ${id}`,
});

function screen() {
  const hand = new Hand();
  const said: string[] = [];
  const readiness = new Readiness(hand, (hint) => said.push(hint));
  const judge = (one: JudgedUnit) => {
    readiness.press(hand.time);
    return readiness.judge(one);
  };
  return { hand, said, readiness, judge };
}

test("a page is judged 0.4 s after it was painted, and the verdict says how long it was seen", () => {
  const { hand, said, readiness, judge } = screen();
  assert.equal(judge(unit("page")), null);
  assert.deepEqual(said, ["look at page"]);
  hand.pass(1000);
  readiness.begin("page");
  const isReady = readiness.ready(["page"]);
  hand.pass(FRAME_MS + LOOK_MS - 1);
  assert.equal(isReady.value, "false");
  hand.pass(1);
  assert.equal(isReady.value, "true");
  assert.deepEqual(judge(unit("page")), { seen_ms: LOOK_MS });
});

test("a page that was left before it was painted was never seen", () => {
  const { hand, readiness, judge } = screen();
  readiness.begin("page");
  readiness.end("page");
  hand.pass(1000);
  assert.equal(judge(unit("page")), null);
});

test("after a dropped key all rest until none has come for 0.4 s", () => {
  const { hand, readiness, judge } = screen();
  readiness.begin("page");
  hand.pass(FRAME_MS + LOOK_MS - 10);
  const isReady = readiness.ready(["page"]);
  for (let i = 0; i < 10; i += 1) {
    assert.equal(judge(unit("page")), null);
    hand.pass(LOOK_MS - 1);
    assert.equal(isReady.value, "false");
  }
  hand.pass(1);
  assert.equal(isReady.value, "true");
  assert.notEqual(judge(unit("page")), null);
});

test("the last verdict is changed at once, wherever one has been meanwhile; others are not", () => {
  const { hand, readiness, judge } = screen();
  for (const name of ["one", "two"]) readiness.begin(name);
  hand.pass(1000);
  assert.notEqual(judge(unit("two")), null);
  assert.notEqual(judge(unit("one")), null);
  readiness.end("one");
  readiness.end("two");
  readiness.begin("one");
  readiness.begin("two");
  hand.pass(FRAME_MS + 50);
  assert.deepEqual(judge(unit("one")), { seen_ms: 1000 - FRAME_MS + 50 });
  assert.equal(judge(unit("two")), null);
});

test("what comes under decision begins again, and what was seen of it before still counts", () => {
  const { hand, readiness, judge } = screen();
  readiness.begin("row");
  hand.pass(FRAME_MS + 300);
  readiness.restart("row");
  hand.pass(FRAME_MS + LOOK_MS - 1);
  assert.equal(readiness.ready(["row"]).value, "false");
  hand.pass(1);
  assert.deepEqual(judge(unit("row")), { seen_ms: 300 + LOOK_MS });
});

test("time does not count while a dialog or another tab covers the screen", () => {
  const { hand, readiness, judge } = screen();
  const isReady = readiness.ready(["page"]);
  readiness.begin("page");
  hand.pass(FRAME_MS + 100);
  readiness.setCovered(true);
  hand.pass(10_000);
  assert.equal(isReady.value, "false");
  readiness.setCovered(false);
  hand.pass(LOOK_MS - 101);
  assert.equal(isReady.value, "false");
  hand.pass(1);
  assert.equal(isReady.value, "true");
  assert.deepEqual(judge(unit("page")), { seen_ms: LOOK_MS });
});

test("a key that waited in the browser is as old as its press", () => {
  const { hand, readiness } = screen();
  readiness.begin("page");
  readiness.press(hand.time + FRAME_MS + LOOK_MS - 1);
  hand.pass(5000);
  assert.equal(readiness.judge(unit("page")), null);
});

test("all of a unit's parts have to be seen, and the shortest look is stored", () => {
  const { hand, readiness, judge } = screen();
  const element = unit("element", "page", "element");
  readiness.begin("element");
  hand.pass(1000);
  assert.equal(judge(element), null);
  readiness.begin("page");
  hand.pass(FRAME_MS + LOOK_MS);
  assert.deepEqual(judge(element), { seen_ms: LOOK_MS });
});

test("nothing of the task before counts in the next one", () => {
  const { hand, readiness, judge } = screen();
  const isReady = readiness.ready(["page"]);
  readiness.begin("page");
  hand.pass(1000);
  assert.notEqual(judge(unit("page")), null);
  readiness.forget();
  assert.equal(isReady.value, "false");
  assert.equal(judge(unit("page")), null);
  hand.pass(1000);
  readiness.begin("page");
  hand.pass(FRAME_MS + LOOK_MS);
  assert.deepEqual(judge(unit("page")), { seen_ms: LOOK_MS });
});

/** Park and Miller's generator: the same sequence for a seed. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

test("random keys, 20 a second, judge nothing unseen, and no unit but the one they were pressed for", () => {
  let given = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = random(seed);
    const { hand, readiness, judge } = screen();
    /** which page is open, and when it was painted; painting takes up to 0.3 s */
    let open = 0;
    let painted = Number.POSITIVE_INFINITY;
    let lastVerdict = -1;
    let drop = Number.NEGATIVE_INFINITY;
    const turn = (to: number) => {
      if (to < 0) return;
      readiness.end(`page ${open}`);
      open = to;
      painted = Number.POSITIVE_INFINITY;
      hand.after(Math.floor(next() * 300), () => {
        if (open !== to || painted < Number.POSITIVE_INFINITY) return;
        painted = hand.time + FRAME_MS;
        readiness.begin(`page ${to}`);
      });
    };
    turn(1);
    for (let press = 0; press < 200; press += 1) {
      hand.pass(next() < 0.1 ? 700 : 50);
      const key = next();
      if (key < 0.1) turn(open + (key < 0.05 ? 1 : -1));
      else {
        const [here, wasLast] = [open, open === lastVerdict];
        const verdict = judge(unit(`page ${here}`));
        if (!verdict) {
          drop = hand.time;
          continue;
        }
        given += 1;
        assert.ok(wasLast || hand.time - painted >= LOOK_MS, `seed ${seed}, key ${press}`);
        assert.ok(hand.time - drop >= LOOK_MS, `seed ${seed}, key ${press}`);
        assert.ok(verdict.seen_ms >= LOOK_MS || wasLast);
        lastVerdict = here;
        turn(here + 1);
      }
    }
  }
  assert.ok(given > 1000, `${given} verdicts`);
});
