import assert from "node:assert/strict";
import { test } from "node:test";
import { boxProposal } from "../../app/components/frontend/workspace/state/contradictions";

test("boxes fill a page's kinds in other languages too: options keep their label's stored name", () => {
  const spec = {
    name: "modalities",
    matches_boxes: true,
    options: [
      { value: "table", label: "Tabelle", box_label: "Table" },
      { value: "chart", label: "Diagramm", box_label: "Chart" },
    ],
  } as unknown as Pt.FieldSpec;
  const box = { id: "b1", document: "a.pdf", page: 1, label: "Table", deleted: false };
  const form = {
    protocol: { boxes: { labels: [{ name: "Table" }, { name: "Chart" }] } },
    state: { boxes: { boxes: [box] } },
    asked: () => true,
    stored: () => null,
    mayHaveBoxes: () => true,
    options: () => spec.options,
  } as unknown as Pt.Form;
  const target = { document: "a.pdf", page: 1 } as Pt.Target;
  assert.deepEqual(boxProposal(form, spec, target), ["table"]);
});
