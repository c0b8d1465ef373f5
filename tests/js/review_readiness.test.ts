/** A reviewer decides nothing unseen: neither a task nor a part of it that has just come up. */

import assert from "node:assert/strict";
import test from "node:test";
import { signal } from "@preact/signals";
import { ReviewReadiness } from "../../app/components/frontend/reviewing/readiness";
import { LOOK_MS } from "../../app/components/frontend/shared/readiness";
import { FRAME_MS, Hand } from "./hand";

const FIRST = { document: "a.pdf", page: 1 };
const SECOND = { document: "a.pdf", page: 2 };

class Pressed extends ReviewReadiness {
  /** Whether a press of that kind decides now. */
  decides(part: string | null, hand: Hand, isByKey = true) {
    this.isByKey = isByKey;
    this.press(hand.time);
    return this.mayDecide(part) !== null;
  }
}

function review() {
  const hand = new Hand();
  const said: string[] = [];
  const sources = {
    task: signal<number | null>(null),
    part: signal<string | null>("answer"),
    page: signal<Pt.Place | null>(FIRST),
    shown: signal<Pt.Place | null>(null),
  };
  const noDialogs = () => assert.fail("nothing is covered");
  const readiness = new Pressed(sources, noDialogs, (hint) => said.push(hint), hand);
  sources.task.value = 1;
  return { hand, said, readiness, ...sources };
}

test("a task is decided 0.4 s after its page was painted", () => {
  const { hand, said, readiness, shown } = review();
  hand.pass(5000);
  assert.equal(readiness.decides(null, hand), false);
  assert.deepEqual(said, ["Too fast: look at the task first."]);
  hand.pass(5000);
  shown.value = FIRST;
  hand.pass(FRAME_MS + LOOK_MS - 1);
  assert.equal(readiness.isReady.value, "false");
  hand.pass(1);
  assert.equal(readiness.isReady.value, "true");
  assert.equal(readiness.decides(null, hand), true);
});

test("the next task is not decided by keys that were pressed for the one before", () => {
  const { hand, readiness, shown, task } = review();
  shown.value = FIRST;
  hand.pass(1000);
  assert.equal(readiness.decides(null, hand), true);
  task.value = 2;
  for (let press = 0; press < 40; press++) {
    hand.pass(50);
    assert.equal(readiness.decides(null, hand), false);
  }
  hand.pass(LOOK_MS);
  assert.equal(readiness.decides(null, hand), true);
});

test("a key decides on a part that has been marked for 0.4 s, a click on what it hits", () => {
  const { hand, readiness, shown, part, page } = review();
  shown.value = FIRST;
  hand.pass(1000);
  part.value = "evidence";
  assert.equal(readiness.decides("evidence", hand, false), true);
  part.value = "answer";
  assert.equal(readiness.decides("answer", hand), false);
  part.value = "boxes";
  page.value = SECOND; // its image is on the way
  hand.pass(1000);
  assert.equal(readiness.decides("boxes", hand), false);
  assert.equal(readiness.mayTakeBox(), false);
  shown.value = SECOND;
  hand.pass(FRAME_MS + LOOK_MS);
  assert.equal(readiness.mayTakeBox(), true);
  assert.equal(readiness.decides("boxes", hand), true);
  assert.equal(readiness.decides("boxes", hand), true); // one's own last decision can be changed
});
