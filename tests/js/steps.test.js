/** The replay of a judged attempt: what each step showed, and how long it is shown. */

import assert from "node:assert/strict";
import test from "node:test";
import { framesOf, paceOf, stepColumn } from "../../app/components/frontend/workspace/fields/steps";

const at = (document, page) => ({ document, page });
const GIVEN = [at("a.pdf", 1), at("a.pdf", 2), at("b.pdf", 4), at("b.pdf", 5)];
const SEARCH =
  "Searched for “otters, b.pdf page 5”: 12 pages found, 3 shown\n" +
  "1. b.pdf page 4; 2. c.pdf page 9; 3. a.pdf page 1";

/** Step, page, whether it was open, and the step of the search whose results are shown. */
const shown = (texts) =>
  framesOf(texts, GIVEN).map(({ step, page, seen, found }) => [
    step,
    page && `${page.document} ${page.page}`,
    seen,
    found?.step ?? null,
  ]);

test("a page stays open, and results stay found, until another step changes them", () => {
  assert.deepEqual(
    shown([
      "Wrote “let me see a.pdf page 2”",
      SEARCH,
      "Read a.pdf pages 1, 2",
      "Searched again for “”: 0 pages found, 0 shown",
      "Cited b.pdf page 5",
      "Looked back at the search for “x”: 1 page found, 1 shown\n1. b.pdf page 4",
      "Wrote as the answer “41”",
      "Submitted with an answer",
    ]),
    [
      [0, null, false, null],
      [1, "b.pdf 4", false, 1],
      [2, "a.pdf 1", true, 1],
      [2, "a.pdf 2", true, 1],
      [3, "a.pdf 2", true, 3],
      [4, "b.pdf 5", true, 3],
      [5, "b.pdf 5", true, 5],
      [6, "b.pdf 5", true, 5],
      [7, "b.pdf 5", true, 5],
    ],
  );
});

test("results keep their ranks, without the pages that the task does not give", () => {
  const [{ said, found }] = framesOf([SEARCH], GIVEN);
  assert.equal(said, "Searched for “otters, b.pdf page 5”: 12 pages found, 3 shown");
  assert.deepEqual(found, {
    step: 0,
    said,
    pages: [
      { ...at("b.pdf", 4), rank: 1 },
      { ...at("a.pdf", 1), rank: 3 },
    ],
  });
  assert.deepEqual(framesOf(["Searched for “x”: results unknown"], GIVEN)[0].found?.pages, []);
  assert.deepEqual(framesOf([], GIVEN), []);
  assert.deepEqual(shown(["Thought\n1. a.pdf page 1"]), [[0, "a.pdf 1", true, null]]);
});

test("a frame is shown as long as it takes to read what is new, whoever made it", () => {
  const [search, first, second] = framesOf([SEARCH, "Read a.pdf pages 1, 2"], GIVEN);
  assert.equal(paceOf(first, search), 3000 + 2000 + 5 * 250);
  assert.equal(paceOf(second, first), 3000 + 2000);
  assert.equal(paceOf(first, first), 3000);
  assert.equal(paceOf({ ...first, said: "word ".repeat(500) }), 12_000);
});

test("steps are the task's table that is seeded with them and tells what was done", () => {
  const what = { name: "what", editable: false };
  const spec = {
    kind: "records",
    scope: "task",
    seed: "steps",
    columns: [{ name: "mark", editable: true }, what],
  };
  assert.equal(stepColumn(spec), what);
  for (const change of [{ seed: "patches" }, { scope: "page" }, { columns: [] }, { kind: "text" }])
    assert.equal(stepColumn({ ...spec, ...change }), null);
});
