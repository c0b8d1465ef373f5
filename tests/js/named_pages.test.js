import assert from "node:assert/strict";
import { test } from "node:test";
import { namedPages } from "../../app/components/frontend/workspace/fields/named_pages";

const GIVEN = [
  { document: "b.pdf", page: 1 },
  { document: "b.pdf", page: 4 },
  { document: "a (b).pdf", page: 12 },
  { document: "a b.pdf", page: 1 },
];

test("given pages that a step names can be opened, others not, and no text is lost", () => {
  for (const [text, wanted] of [
    ["Read b.pdf page 4", [["b.pdf page 4", 4]]],
    [
      "Read b.pdf pages 1, 3, 4",
      [
        ["1", 1],
        ["4", 4],
      ],
    ],
    [
      "1. a (b).pdf page 12; 2. b.pdf page 2; 3. b.pdf page 1",
      [
        ["a (b).pdf page 12", 12],
        ["b.pdf page 1", 1],
      ],
    ],
    ["Read a b.pdf page 1", [["a b.pdf page 1", 1]]],
    ["Searched “page 4”\nc.pdf page 4", []],
    ["", []],
  ]) {
    const pieces = namedPages(text, GIVEN);
    assert.equal(pieces.map((piece) => piece.text).join(""), text);
    assert.deepEqual(
      pieces.filter(({ page }) => page).map(({ text: shown, page }) => [shown, page.page]),
      wanted,
    );
  }
  assert.deepEqual(namedPages("b.pdf page 1", []), [{ text: "b.pdf page 1" }]);
  assert.equal(namedPages("a b.pdf page 1", GIVEN)[0].page.document, "a b.pdf");
});
