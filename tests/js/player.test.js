/** The replay's clock. What a track shows after each event is compared with Python's fold. */

import assert from "node:assert/strict";
import test from "node:test";
import { Player } from "../../app/components/frontend/replay/player";
import { Track } from "../../app/components/frontend/replay/script_state";

const ALMA = [0, 2, 4, 6, 8, 9, 10, 11, 12, 13, 614, 616];
const BRUNO = [0, 3, 5, 9, 11, 20];

/** An attempt with events at these seconds. */
function track(seconds) {
  return new Track({
    texts: {},
    moments: seconds.map((second) => [second * 1000, "work", "Did something"]),
    documents: [],
    pages: [],
    boxes: [],
  });
}

/** Time, seq of each attempt, and whether it plays, after each step. */
function clock(pasts, ...steps) {
  const player = new Player(pasts.map(track));
  return steps.map(([name, ...args]) => {
    if (name === "speed") [player.speed] = args;
    else player[name](...args);
    return [player.t, ...pasts.map((_, side) => player.seq(side)), player.playing];
  });
}

test("one clock counts both from their first event", () => {
  assert.deepEqual(clock([ALMA, BRUNO], ["seek", 9_000], ["seek", 0], ["seek", 1e9]), [
    [9_000, 6, 4, false],
    [0, 1, 1, false],
    [616_000, 12, 6, false],
  ]);
});

test("steps stop at each event, also where several share a time", () => {
  const forwards = Array(4).fill(["step", 1]);
  const steps = [
    ["go", 0],
    ...forwards,
    ["step", -1],
    ["step", -1],
    ["jump", 0, 2],
    ["seek", 1_000],
  ];
  const shown = clock([[0, 1, 1, 1]], ...steps);
  assert.deepEqual(
    shown.map(([, seq]) => seq),
    [1, 2, 3, 4, 4, 3, 2, 2, 4],
  );
  assert.deepEqual(
    shown.slice(0, 3).map(([t]) => t),
    [0, 1_000, 1_000],
  );
});

test("stepping back from between two events stops at the earlier", () => {
  const shown = clock([ALMA], ["seek", 5_000], ["step", -1], ["step", -1]);
  assert.deepEqual(
    shown.map(([t, seq]) => [t, seq]),
    [
      [5_000, 3],
      [4_000, 3],
      [2_000, 2],
    ],
  );
});

test("long gaps are played as five seconds, or as they were; the end stops the clock", () => {
  const gap = 13_000;
  const begin = [["speed", 1], ["seek", gap], ["toggle"]];
  const near = (value, expected) =>
    assert.ok(Math.abs(value - expected) < 1, `${value} is not ${expected}`);
  near(clock([ALMA], ...begin, ["advance", 2_500]).at(-1)[0], gap + 601_000 / 2);
  const whole = [["setSkip", false], ["speed", 60], ["seek", gap], ["toggle"], ["advance", 2_500]];
  near(clock([ALMA], ...whole).at(-1)[0], gap + 150_000);
  const ended = clock([ALMA], ...begin, ["advance", 60_000], ["toggle"]);
  assert.deepEqual(ended.at(-2), [616_000, 12, false]);
  assert.deepEqual(ended.at(-1), [0, 1, true], "played again from the beginning");
});
