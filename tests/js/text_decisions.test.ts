import assert from "node:assert/strict";
import test from "node:test";
import {
  comparedPair,
  compareMerged,
  comparePair,
  decide,
  decideRest,
  decisionsOf,
  differencesOf,
  numberedPassages,
  otherVersions,
  validDecisions,
} from "../../app/components/frontend/reviewing/decision/text_decisions";

const pair: Pt.TextPair = {
  left: "a1",
  right: "a2",
  passages: [
    { left: "The " },
    { left: "otter", right: "otters" },
    { left: " swim" },
    { left: "s", right: "" },
  ],
};
const other: Pt.TextPair = { ...pair, right: "a3" };

test("differences are numbered in the order of the text", () => {
  assert.deepEqual(numberedPassages(pair)[1].difference, {
    number: 0,
    left: "otter",
    right: "otters",
  });
  assert.deepEqual(
    differencesOf(pair).map(({ number }) => number),
    [0, 1],
  );
});

test("a decision is taken, replaced, and taken back by choosing it again", () => {
  const [first, second] = differencesOf(pair);
  let picks = decide({}, pair, second, "left");
  picks = decide(picks, pair, first, "right");
  assert.deepEqual(picks.transcript, {
    how: "pick",
    sides: ["a1", "a2"],
    text_decisions: [
      { ...first, decision: "right", text: "" },
      { ...second, decision: "left", text: "" },
    ],
  });
  picks = decide(picks, pair, first, "edited", "an otter");
  assert.equal(decisionsOf(picks, pair)[0].text, "an otter");
  picks = decide(picks, pair, second, "left");
  assert.deepEqual(
    decisionsOf(picks, pair).map(({ number }) => number),
    [0],
  );
});

test("the rest is taken from one side, and what was decided stays", () => {
  const [first] = differencesOf(pair);
  const picks = decideRest(decide({}, pair, first, "both"), pair, "right");
  assert.deepEqual(
    decisionsOf(picks, pair).map(({ decision }) => decision),
    ["both", "right"],
  );
});

test("a person's whole text decides every difference", () => {
  const picks: Pt.Selections = { transcript: { how: "side", side: "a2" } };
  assert.deepEqual(
    decisionsOf(picks, pair).map(({ decision }) => decision),
    ["right", "right"],
  );
  assert.deepEqual(decisionsOf(picks, other), []);
});

test("a whole text is shown in the first pair that has it", () => {
  const drafted: Pt.TextPair = { ...pair, right: "draft:1" };
  const picks: Pt.Selections = { transcript: { how: "side", side: "draft:1" } };
  assert.equal(comparedPair([pair, drafted], picks.transcript), drafted);
  assert.equal(comparedPair([pair, drafted], { how: "side", side: "a2" }), pair);
  assert.equal(comparedPair([pair, drafted], { how: "none" }), pair);
});

test("another pair begins without decisions", () => {
  const picks = comparePair(decideRest({}, pair, "left"), other);
  assert.equal(comparedPair([pair, other], picks.transcript), other);
  assert.deepEqual(decisionsOf(picks, other), []);
  assert.deepEqual(decisionsOf(picks, pair), []);
});

test("differences of tables are decided under the part of the tables", () => {
  const difference = { number: 0, kind: "row" as const, left: "a | b", right: "" };
  const table = { id: "t1", caption: "", document: "b.pdf", page: 2, presence: "both" as const };
  const tables: Pt.ComparedTables = {
    left: "a1",
    right: "a2",
    tables: [
      { ...table, columns: [], rows: [], differences: [difference] },
      {
        ...table,
        id: "t2",
        presence: "right",
        columns: [],
        rows: [],
        differences: [{ number: 1, kind: "table", left: "", right: "x", only_in: "right" }],
      },
    ],
  };
  const picks = decideRest(decide({}, tables, difference, "right"), tables, "left");
  assert.deepEqual(picks, {
    tables: {
      how: "pick",
      sides: ["a1", "a2"],
      text_decisions: [
        { number: 0, left: "a | b", right: "", decision: "right", text: "" },
        { number: 1, left: "", right: "x", decision: "left", text: "" },
      ],
    },
  });
  assert.deepEqual(validDecisions(tables, picks.tables?.text_decisions ?? []).length, 2);
});

test("decisions on texts that have changed are dropped", () => {
  const decisions = decisionsOf(decideRest({}, pair, "left"), pair);
  const changed: Pt.TextPair = { ...pair, passages: [{ left: "otter", right: "seal" }] };
  assert.deepEqual(validDecisions(pair, decisions), decisions);
  assert.deepEqual(validDecisions(changed, decisions), []);
  assert.deepEqual(validDecisions(undefined, decisions), []);
});

test("what was merged is compared with the next version, and its decisions stay", () => {
  const running: Pt.TextPair = {
    left: "a1",
    right: "draft:1",
    merged_from: ["a1", "a2"],
    first_number: 2,
    passages: [{ left: "The otters swims" }, { left: "", right: " here" }],
  };
  const drafted = { ...pair, right: "draft:1" };
  const pairs = [pair, drafted];
  assert.deepEqual(otherVersions(pairs, pair), ["draft:1"]);
  const first = decideRest({}, pair, "left");
  const begun = compareMerged(first, pair, "draft:1");
  assert.deepEqual(begun.transcript?.sides, ["a1", "a2", "draft:1"]);
  // Until the server has compared them, the first two are shown as they were decided.
  assert.equal(comparedPair(pairs, begun.transcript), pair);
  assert.equal(decisionsOf(begun, pair).length, 2);
  assert.equal(comparedPair([...pairs, running], begun.transcript), running);
  assert.deepEqual(decisionsOf(begun, running), []);
  const [added] = differencesOf(running);
  assert.equal(added.number, 2);
  const done = decide(begun, running, added, "right");
  assert.deepEqual(done.transcript?.sides, ["a1", "a2", "draft:1"]);
  assert.deepEqual(
    done.transcript?.text_decisions?.map(({ number, decision }) => [number, decision]),
    [
      [0, "left"],
      [1, "left"],
      [2, "right"],
    ],
  );
  assert.deepEqual(validDecisions(running, decisionsOf(done, running)).length, 1);
  assert.deepEqual(otherVersions(pairs, running), []);
  assert.deepEqual(compareMerged({ transcript: { how: "side", side: "a2" } }, pair, "draft:1"), {
    transcript: {
      how: "pick",
      sides: ["a1", "a2", "draft:1"],
      text_decisions: differencesOf(pair).map((one) => ({ ...one, decision: "right", text: "" })),
    },
  });
  assert.equal(comparePair(done, drafted).transcript?.sides?.length, 2);
});
