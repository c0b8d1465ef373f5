/** Rectangles, snapping and the looks of boxes. */

import assert from "node:assert/strict";
import test from "node:test";
import { looks } from "../../app/components/frontend/shared/label_palette";
import {
  toClientPoint,
  toPagePoint,
  turned,
} from "../../app/components/frontend/shared/page/page_geometry";
import {
  boxesAtPoint,
  HANDLES,
  handlePoint,
  moved,
  pageStep,
  rectBetween,
  resized,
  shownHandle,
} from "../../app/components/frontend/shared/page/rectangles";
import { snapped } from "../../app/components/frontend/workspace/boxes/snapping";
import { randomOf } from "./random.js";

const SIZE = [419.53, 595.28];
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const hundredths = (value) => Math.round(value * 100) / 100;

function near(value, expected, tolerance) {
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);
}

/** On the page, but for a rounding, and on the grid of hundredths that is stored. */
function fits(rect, tolerance = 0) {
  const [x0, y0, x1, y1] = rect;
  assert.ok(x0 >= -tolerance && y0 >= -tolerance && x0 <= x1 && y0 <= y1, String(rect));
  assert.ok(x1 <= SIZE[0] + tolerance && y1 <= SIZE[1] + tolerance, String(rect));
  assert.deepEqual(rect, rect.map(hundredths));
}

function randomRect(rng, least = 3) {
  const x0 = hundredths(rng.between(0, SIZE[0] - least));
  const y0 = hundredths(rng.between(0, SIZE[1] - least));
  const x1 = hundredths(rng.between(x0 + least, SIZE[0]));
  return [x0, y0, x1, hundredths(rng.between(y0 + least, SIZE[1]))];
}

for (const rotation of [0, 90, 180, 270]) {
  test(`page points and client points are inverse, turned by ${rotation}°`, () => {
    const size = [612, 791.5];
    const scale = 1.37;
    const [width, height] = turned(size, rotation).map((length) => length * scale);
    const frame = { left: 33.3, top: -127.9, width, height };
    for (const [x, y] of [
      [0, 0],
      [612, 0],
      [0, 791.5],
      [612, 791.5],
      [10.1, 700.3],
    ]) {
      const there = toClientPoint({ x, y }, frame, size, rotation);
      const here = toPagePoint(there, frame, size, rotation);
      near(here.x, x, 1e-9);
      near(here.y, y, 1e-9);
      assert.equal(clamp(there.x, frame.left - 1e-6, frame.left + width + 1e-6), there.x);
      assert.equal(clamp(there.y, frame.top - 1e-6, frame.top + height + 1e-6), there.y);
    }
  });

  test(`steps and handles follow the view, turned by ${rotation}°`, () => {
    const size = [400, 600];
    const [width, height] = turned(size, rotation);
    const at = (x, y) =>
      toClientPoint({ x, y }, { left: 0, top: 0, width, height }, size, rotation);
    const [dx, dy] = pageStep(3, 5, rotation);
    const [a, b] = [at(200, 300), at(200 + dx, 300 + dy)];
    near(b.x - a.x, 3, 1e-9);
    near(b.y - a.y, 5, 1e-9);
    for (const handle of Object.keys(HANDLES)) {
      const [x, y] = handlePoint([100, 100, 300, 500], handle);
      const [p, q] = [at(x, y), at(200, 300)];
      const seen = [p.x - q.x, p.y - q.y].map((way) => Math.sign(Math.round(way)) + 0);
      assert.deepEqual(HANDLES[shownHandle(handle, rotation)], seen);
    }
  });
}

test("a drawn rectangle is ordered, clipped and rounded", () => {
  const rng = randomOf(1);
  for (let i = 0; i < 300; i += 1) {
    const [a, b, c, d] = Array.from({ length: 4 }, () => rng.between(-300, 900));
    const rect = rectBetween({ x: a, y: b }, { x: c, y: d }, SIZE);
    fits(rect);
    const ordered = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
    for (const [i, value] of rect.entries())
      near(value, clamp(ordered[i], 0, SIZE[i % 2]), 0.005001);
  }
  assert.deepEqual(rectBetween({ x: -9, y: -9 }, { x: 999, y: 999 }, SIZE), [0, 0, ...SIZE]);
});

test("a moved box keeps its size and stays on its page", () => {
  const rng = randomOf(2);
  for (let i = 0; i < 400; i += 1) {
    const rect = randomRect(rng);
    const steps = [rng.between(-700, 700), rng.between(-700, 700)];
    const found = moved(rect, ...steps, SIZE);
    fits(found, 0.0051);
    for (const low of [0, 1]) {
      const side = rect[low + 2] - rect[low];
      near(found[low + 2] - found[low], side, 0.011);
      near(found[low], clamp(rect[low] + steps[low], 0, SIZE[low] - side), 0.0051);
    }
  }
  assert.deepEqual(moved([10, 20, 30, 50], 1, -1, SIZE), [11, 19, 31, 49]);
});

test("an imported box that sticks out by hundredths does not jump", () => {
  const rect = [-0.04, 10, SIZE[0] + 0.04, 50];
  assert.deepEqual(moved(rect, 0, 5, SIZE), [-0.04, 15, SIZE[0] + 0.04, 55]);
});

for (const handle of ["nw", "n", "ne", "e", "se", "s", "sw", "w"]) {
  test(`handle ${handle} moves its own edges only`, () => {
    const rng = randomOf(handle.charCodeAt(0) * 300 + handle.length);
    const least = 5;
    const free = ["w", "n", "e", "s"].map((edge) => handle.includes(edge));
    for (let i = 0; i < 200; i += 1) {
      const rect = randomRect(rng, least);
      const point = { x: rng.between(-99, 600), y: rng.between(-99, 800) };
      const found = resized(rect, handle, point, SIZE, least);
      fits(found);
      assert.ok(found[2] - found[0] >= least - 0.011 && found[3] - found[1] >= least - 0.011);
      for (const edge of [0, 1, 2, 3]) if (!free[edge]) assert.equal(found[edge], rect[edge]);
      if (handle === "e" && rect[0] + least <= point.x && point.x <= SIZE[0]) {
        near(found[2], point.x, 0.0051);
      }
    }
  });
}

test("the smallest box under a point comes first, of equal ones the later", () => {
  const boxes = [
    { id: "big", rect: [0, 0, 100, 100] },
    { id: "small", rect: [40, 40, 60, 60] },
    { id: "twin", rect: [40, 40, 60, 60] },
    { id: "far", rect: [200, 200, 300, 300] },
  ];
  const ids = (x, y, reach = 0) => boxesAtPoint(boxes, { x, y }, reach).map((box) => box.id);
  assert.deepEqual(ids(50, 50), ["twin", "small", "big"]);
  assert.deepEqual(ids(10, 10), ["big"]);
  assert.deepEqual(ids(150, 150), []);
  assert.deepEqual(ids(102, 50), []);
  assert.deepEqual(ids(102, 50, 3), ["big"], "a border reaches a little outside");
});

const WORDS = [
  [100, 100, 140, 112, "left"],
  [145, 100, 190, 112, "right"],
  [100, 118, 180, 130, "below"],
  [400, 300, 440, 312, "elsewhere"],
];
const snap = (rect, handle = null, least = 3) => snapped(rect, handle, WORDS, 5, least);

test("edges snap to the nearest edge of their own kind, and the lines are told", () => {
  const found = snap([97, 103, 186.5, 127]);
  assert.deepEqual(found.rect, [100, 100, 190, 130]);
  const lines = found.guides.map((guide) => `${guide.axis} ${guide.at}`).sort();
  assert.deepEqual(lines, ["x 100", "x 190", "y 100", "y 130"]);
});

test("edges without words beside them stay", () => {
  assert.deepEqual(snap([97, 500, 188, 550]), { rect: [97, 500, 188, 550], guides: [] });
  assert.deepEqual(snap([142, 60, 170, 92]).rect, [145, 60, 170, 92]);
});

test("only the dragged edges snap", () => {
  assert.deepEqual(snap([97, 103, 186.5, 127], "se").rect, [97, 103, 190, 130]);
  assert.deepEqual(snap([97, 103, 186.5, 127], "w").rect, [100, 103, 186.5, 127]);
});

test("snapping never makes a box too small", () => {
  const found = snap([137, 101, 143, 111], null, 8).rect;
  assert.ok(found[0] === 137 || found[2] - found[0] >= 8);
});

test("of fifty labels no two share colour and dash, and neighbours share neither", () => {
  const names = Array.from({ length: 50 }, (_, n) => `label ${n}`);
  const look = looks(names.map((name) => ({ name })));
  const shown = [...names, null].map((name) => look(name));
  assert.equal(new Set(shown.map(({ line, dash }) => `${line} ${dash}`)).size, 51);
  for (let i = 1; i < 50; i += 1) {
    assert.notEqual(shown[i].line, shown[i - 1].line);
    assert.notEqual(shown[i].dash, shown[i - 1].dash);
  }
});
