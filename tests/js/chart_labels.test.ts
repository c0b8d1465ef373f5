/** Labels of a chart's points: where they can be split, how two are merged, and in which rows. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changesByRule,
  isChart,
  labelChanges,
  labelsIn,
  mergeChoices,
  splitChoices,
  splitPoints,
} from "../../app/components/frontend/workspace/fields/chart_labels";

const row = (name: string, labels: string, deleted = false) => ({
  row: name,
  values: { labels },
  deleted,
});

const split = (label: string) => splitPoints(label).map((parts) => parts.join(" | "));

test("a label is split at spaces, and at signs between words", () => {
  assert.deepEqual(split("2019 Revenue"), ["2019 | Revenue"]);
  assert.deepEqual(split("2019 Net income"), ["2019 | Net income", "2019 Net | income"]);
  assert.deepEqual(split("Revenue, net"), ["Revenue | net"]);
  assert.deepEqual(split("Revenue (2019)"), ["Revenue | 2019"]);
  assert.deepEqual(split("Europe – 2019"), ["Europe | 2019"]);
  assert.deepEqual(split("Q1/2020"), ["Q1 | 2020"]);
  assert.deepEqual(split("1,200 units"), ["1,200 | units"]);
  assert.deepEqual(split("Below -5"), ["Below | -5"]);
});

test("a label of one word is split between letters and digits, and by the words of its language", () => {
  assert.deepEqual(split("FY2019"), ["FY | 2019"]);
  assert.ok(split("2019年收入").includes("2019 | 年收入"));
  assert.deepEqual(split("Total"), []);
  assert.deepEqual(split(""), []);
});

test("labels are separated by semicolons, and empty ones are none", () => {
  assert.deepEqual(labelsIn(" 2019;Revenue ; "), ["2019", "Revenue"]);
  assert.deepEqual(labelsIn(""), []);
});

test("a split is made in other rows from the start or the end of the label", () => {
  const rows = [row("r1", "2019 Net income"), row("r2", "2020 Revenue"), row("r3", "Total")];
  const [first] = splitChoices(labelsIn("2019 Net income"));
  const changes = changesByRule(rows, first).map(({ name, changes }) => [
    name,
    changes.map(({ number, after }) => `${number}: ${after}`),
  ]);
  assert.deepEqual(changes, [
    ["start", ["1: 2019; Net income", "2: 2020; Revenue"]],
    ["end", ["1: 2019; Net income"]],
  ]);
});

test("where both ends give the same, there is one rule; deleted rows are left out", () => {
  const rows = [
    row("r1", "2019 Revenue; EU"),
    row("r2", "2020 Revenue; US"),
    row("r3", "A b", true),
  ];
  const [choice] = splitChoices(labelsIn(rows[0].values.labels));
  const [rule, ...others] = changesByRule(rows, choice);
  assert.deepEqual(others, []);
  assert.equal(rule.name, "both");
  assert.deepEqual(
    rule.changes.map(({ after }) => after),
    ["2019; Revenue; EU", "2020; Revenue; US"],
  );
});

test("two labels are merged in either order, where the first of them is", () => {
  const choices = mergeChoices(["2019", "EU", "Revenue"]);
  assert.equal(choices.length, 6);
  const merged = choices.map(({ parts, here }) => [
    parts.join("+"),
    here(["2019", "EU", "Revenue"]),
  ]);
  assert.deepEqual(Object.fromEntries(merged)["Revenue+2019"], ["EU", "Revenue 2019"]);
  assert.deepEqual(Object.fromEntries(merged)["2019+Revenue"], ["2019 Revenue", "EU"]);
  const [first] = choices;
  const rows = [row("r1", "2019; EU"), row("r2", "Total")];
  assert.deepEqual(
    labelChanges(rows, first.here).map(({ after }) => after),
    ["2019 EU"],
  );
  assert.deepEqual(mergeChoices(["Total"]), []);
});

test("splitting and merging again gives the label back", () => {
  const labels = ["2019 Net income", "EU"];
  const [choice] = splitChoices(labels);
  const parts = choice.here(labels) ?? [];
  const merge = mergeChoices(parts).find(({ parts: [a, b] }) => a === "2019" && b === "Net income");
  assert.deepEqual(merge?.here(parts), labels);
});

test("a chart is a table of records with labels and a value", () => {
  const columns = (...names: string[]) => names.map((name) => ({ name }) as Pt.Column);
  assert.ok(isChart({ kind: "records", columns: columns("labels", "value", "tolerance") }));
  assert.ok(!isChart({ kind: "records", columns: columns("old", "new") }));
  assert.ok(!isChart({ kind: "text", columns: [] }));
});
