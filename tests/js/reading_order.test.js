import assert from "node:assert/strict";
import { test } from "node:test";
import { elementsOf } from "../../app/components/frontend/reviewing/comparison/page_elements";
import {
  finalOrder,
  likelyBefore,
  orderAfter,
} from "../../app/components/frontend/shared/reading_order";

const place = { document: "a.pdf", page: 1 };

/** A model's element in the n-th line. */
const element = (n, order = n, more = {}) => {
  const rect = [10, 10 * n, 90, 10 * n + 9];
  return { ...place, id: `e${n}`, rect, order, deleted: false, model: { rect, order }, ...more };
};
const drawn = (id, order, rect = [0, 0, 5, 5]) => ({
  ...place,
  id,
  rect,
  order,
  deleted: false,
  model: null,
});
const names = (boxes) => [...finalOrder(boxes).keys()].join(" ");

test("a box put after another comes right after it, and nothing else changes", () => {
  const boxes = [element(1), element(2), element(3)];
  for (const [after, expected] of [
    [null, "new e1 e2 e3"],
    ["e1", "e1 new e2 e3"],
    ["e3", "e1 e2 e3 new"],
  ]) {
    const order = orderAfter(boxes, null, after);
    assert.equal(names([...boxes, drawn("new", order)]), expected);
  }
  assert.equal(orderAfter([], null, null), 1);
});

test("a model's element that is moved back has the model's number again", () => {
  const boxes = [element(1, 4), element(2, 4), element(3, 4)];
  const first = { ...boxes[2], order: orderAfter(boxes, boxes[2], null) };
  const moved = [boxes[0], boxes[1], first];
  assert.equal(names(moved), "e3 e1 e2");
  assert.equal(orderAfter(moved, first, "e2"), 4);
  assert.equal(orderAfter([element(1), element(2)], element(2), "e1"), 2);
});

test("a hundred missed elements follow each other, downwards and upwards", () => {
  for (const step of ["after", "before"]) {
    const boxes = [element(1), element(2)];
    for (let n = 0; n < 100; n += 1) {
      const last = step === "after" && n ? `b${n - 1}` : "e1";
      const order = orderAfter(boxes, null, last);
      assert.notEqual(order, undefined);
      boxes.push(drawn(`b${n}`, order));
    }
    const ids = [...finalOrder(boxes).keys()].slice(1, -1);
    const made = boxes.slice(2).map(({ id }) => id);
    assert.deepEqual(ids, step === "after" ? made : made.reverse());
  }
});

test("where no number fits, none is made up", () => {
  const boxes = [drawn("a", 1), drawn("b", 1 + Number.EPSILON)];
  assert.equal(orderAfter(boxes, null, "a"), undefined);
});

test("a box after one without a place comes last of those that have one", () => {
  const boxes = [element(1), drawn("loose", null)];
  assert.equal(names([...boxes, drawn("new", orderAfter(boxes, null, "loose"))]), "e1 new");
});

test("a new box probably follows what is above it in its column", () => {
  const column = (n, x, y) => drawn(`${n}`, n, [x, y, x + 80, y + 20]);
  const boxes = [column(1, 10, 10), column(2, 10, 60), column(3, 110, 10), column(4, 110, 60)];
  assert.equal(likelyBefore(boxes, [10, 35, 90, 50]), "1");
  assert.equal(likelyBefore(boxes, [110, 35, 190, 50]), "3");
  assert.equal(likelyBefore(boxes, [10, 0, 90, 5]), null, "before all");
  assert.equal(likelyBefore(boxes, [110, 0, 190, 5]), "2", "the second column's first");
  assert.equal(likelyBefore(boxes, [300, 40, 390, 50]), "3", "a column of its own");
  assert.equal(likelyBefore([], [0, 0, 9, 9]), null);
});

test("in review, only what somebody moved past another is in another order", () => {
  const box = (id, order, sort_number) => ({
    ...place,
    id,
    order,
    sort_number,
    rect: [0, order, 9, order + 1],
    label: "Text",
    content: null,
    attributes: {},
    model: true,
    verdict: "accepted",
  });
  const side = (name, ...boxes) => ({
    name,
    attempt: name,
    status: "submitted",
    boxes: boxes.map((each) => ({ ...each, rect: [0, 0, 9, 9] })),
  });
  const given = [box("e1", 1, 1), box("e2", 2, 2), box("e3", 3, 3)];
  const shifted = [box("e1", 2, 1), box("e2", 3, 2), box("e3", 4, 3)];
  const moved = [box("e3", 1, 0.5), box("e1", 2, 1), box("e2", 3, 2)];
  const differing = (...participants) =>
    elementsOf({ participants }, place).flatMap(({ id, differs }) => (differs ? [id] : []));
  assert.deepEqual(differing(side("A", ...given), side("B", ...shifted)), []);
  assert.deepEqual(differing(side("A", ...given), side("B", ...moved)), ["e3"]);
});
