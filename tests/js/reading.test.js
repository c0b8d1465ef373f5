/** Reading pages by keys and by the wheel. */

import assert from "node:assert/strict";
import test from "node:test";
import { readOn, room, WheelTurns } from "../../app/components/frontend/workspace/viewer/page_end";

const pane = (scrollTop, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 400 });

test("reading keys scroll, and turn at the end; one that is held stops there", () => {
  for (const [key, shiftKey, repeat, at, expected] of [
    [" ", false, false, pane(0), { scroll: 360 }],
    [" ", false, false, pane(500), { scroll: 100 }],
    [" ", false, false, pane(599.5), { turn: 1 }],
    [" ", true, false, pane(200), { scroll: -200 }],
    [" ", true, false, pane(0), { turn: -1 }],
    ["PageDown", false, false, pane(600), { turn: 1 }],
    ["PageUp", false, false, pane(0), { turn: -1 }],
    ["PageDown", false, true, pane(600), null],
    ["ArrowDown", false, true, pane(0), { scroll: 48 }],
    ["ArrowDown", false, true, pane(600), null],
    ["ArrowUp", false, false, pane(0), { turn: -1 }],
    ["ArrowDown", false, false, pane(0, 400), { turn: 1 }],
  ]) {
    assert.deepEqual(readOn({ key, shiftKey, repeat }, at), expected, `${key} ${at.scrollTop}`);
  }
});

test("the wheel turns once for each movement that begins where the page ends", () => {
  const turned = (events, at) => {
    const wheel = new WheelTurns();
    return events.map(([timeStamp, deltaY, deltaMode = 0]) =>
      wheel.turn({ deltaX: 0, deltaY, deltaMode, timeStamp }, (way) => room(at(timeStamp), way)),
    );
  };
  const end = () => pane(600);
  assert.deepEqual(turned([[0, 100]], end), [1], "a notch of a wheel");
  assert.deepEqual(turned([[0, 3, 1]], end), [1], "a notch that counts in lines");
  assert.deepEqual(
    turned([[0, 100]], () => pane(0)),
    [0],
    "there is more to read",
  );
  assert.deepEqual(
    turned([[0, -100]], () => pane(0)),
    [-1],
  );
  const swipe = Array.from({ length: 12 }, (_, i) => [16 * i, 20]);
  assert.deepEqual(
    turned(swipe, end).reduce((sum, one) => sum + one),
    1,
    "a swipe with its run-out turns one page",
  );
  assert.deepEqual(
    turned(swipe, (now) => pane(now < 60 ? 0 : 600)).some(Boolean),
    false,
    "a swipe that reaches the end stops there",
  );
  assert.deepEqual(
    turned(
      [
        [0, 100],
        [100, 100],
        [500, 100],
      ],
      end,
    ),
    [1, 0, 1],
  );
});
