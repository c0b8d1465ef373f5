/** Small images load a few at a time, in order, however a turn ends. */

import assert from "node:assert/strict";
import test from "node:test";
import { ImageTurns } from "../../app/components/frontend/shared/image_turns";

test("three load at once, and one that ends lets the next one start", () => {
  const turns = new ImageTurns();
  const started: number[] = [];
  const ends = [0, 1, 2, 3, 4, 5].map((number) => turns.take(() => started.push(number)));
  assert.deepEqual(started, [0, 1, 2]);
  ends[1]();
  ends[1]();
  assert.deepEqual(started, [0, 1, 2, 3]);
  ends[4](); // it was taken away while it waited
  ends[0]();
  assert.deepEqual(started, [0, 1, 2, 3, 5]);
});

test("turns that are free begin when they are scheduled, and not after they were given up", () => {
  const scheduled: (() => void)[] = [];
  const turns = new ImageTurns((begin) => scheduled.push(begin));
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map((number) => turns.take(() => started.push(number)));
  ends[1]();
  assert.deepEqual(started, []);
  for (const begin of scheduled) begin();
  assert.deepEqual(started, [0, 2, 3]);
});
