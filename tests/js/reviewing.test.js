/** The reviewing screen's pure modules: choices, differences, rows, sets, keys, the queue. */

import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import test from "node:test";
import { AnswerEditing } from "../../app/components/frontend/reviewing/comparison/answer_editing";
import { changes, whyLooked } from "../../app/components/frontend/reviewing/comparison/changes";
import {
  pagesOfTask,
  rowsOf,
} from "../../app/components/frontend/reviewing/comparison/comparison_rows";
import {
  combinations,
  venn,
} from "../../app/components/frontend/reviewing/comparison/evidence_sets";
import { elementsOf } from "../../app/components/frontend/reviewing/comparison/page_elements";
import { tableLines } from "../../app/components/frontend/reviewing/comparison/table_lines";
import {
  markedList,
  markedText,
} from "../../app/components/frontend/reviewing/comparison/text_differences";
import { Deciding } from "../../app/components/frontend/reviewing/decision/decide";
import { mixedWords } from "../../app/components/frontend/reviewing/decision/mixed_evidence";
import * as tableChoices from "../../app/components/frontend/reviewing/decision/row_selections";
import * as picks from "../../app/components/frontend/reviewing/decision/selections";
import {
  storedFirst,
  storedPicks,
} from "../../app/components/frontend/reviewing/decision/stored_draft";
import { boxWords, rowWords } from "../../app/components/frontend/reviewing/formatting";
import * as queue from "../../app/components/frontend/reviewing/queue";
import { Acts } from "../../app/components/frontend/reviewing/requests";
import { Session } from "../../app/components/frontend/reviewing/session";
import { meaning } from "../../app/components/frontend/reviewing/shortcuts";
import { createReviewStore } from "../../app/components/frontend/reviewing/store";
import { ApiError } from "../../app/components/frontend/shared/api";
import { useSentences } from "../../app/components/frontend/shared/sentences";
import { randomOf } from "./random.js";

/** A window whose address is that of a task under review. */
function windowAt(search) {
  const kept = new Map();
  const location = new URL(`http://review.test/?${search}`);
  return {
    location,
    sessionStorage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    },
    history: {
      state: null,
      replaceState: (_state, _title, url) => {
        location.href = new URL(url, location).href;
      },
    },
  };
}

useSentences({
  has_submitted: "{name} has submitted this task",
  has_reopened: "{name} has reopened this task",
  has_resubmitted: "{name} has resubmitted this task",
});
globalThis.window = windowAt("task=7");
globalThis.crypto ??= webcrypto; // Node 18 has none of its own

/** A box of page 1. */
const box = (id, changed = {}) => ({
  id,
  document: "a.pdf",
  page: 1,
  rect: [0, 0, 10, 10],
  label: "Text",
  content: null,
  order: null,
  model: false,
  ...changed,
});

/** What somebody submitted: nothing but what is told. */
const side = (attempt, changed = {}) => ({
  attempt,
  name: attempt,
  status: "submitted",
  outcome: "answered",
  question_text: null,
  answer: [],
  citations: [],
  fields: [],
  boxes: [],
  rows: [],
  ...changed,
});

/** A task under review, as far as the modules read it. */
const data = (sides, changed = {}) => ({
  parts: [],
  merge_methods: {
    outcome: ["side", "majority"],
    answer: ["side", "medoid", "none"],
    evidence: ["side", "union", "intersection", "majority", "retention", "pick"],
  },
  evidence: [],
  protocol: { fields: [] },
  zones: [],
  unfinished: { people: [], free_slots: 0 },
  task: { id: 7 },
  participants: sides,
  model_drafts: [],
  hidden_drafts: 0,
  reviewed_version: {
    sources: Object.fromEntries(sides.map(({ attempt }) => [attempt, 5])),
    gold_seq: 0,
  },
  gold: null,
  reviewer: "me",
  ...changed,
});

/** Runs as one line, what differs in brackets. */
const shown = (runs) => runs.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");

test("what most others have otherwise is marked string by string", () => {
  for (const [mine, others, expected] of [
    [["same"], [["same"]], ["same"]],
    [["Same  words"], [["same words"]], ["Same  words"]],
    [["42 otters"], [["57 otters"]], ["[42] otters"]],
    [["42 otters"], [["42 otters"], ["57 otters"]], ["42 otters"]],
    [["57 otters"], [["42 otters"], ["42 otters"]], ["[57] otters"]],
    [["Fenhallow"], [["Sir Fenhallow"], ["Sir Fenhallow"]], ["[]Fenhallow"]],
    [["Sir Fenhallow"], [["Sir Fenhallow"], ["Fenhallow"]], ["Sir Fenhallow"]],
    [["one two"], [["one two three"]], ["one two[]"]],
    [["red", "blue"], [["blue", "red"]], ["red", "blue"]],
    [["red", "blue"], [["blue"]], ["[red]", "blue"]],
    [["red"], [[]], ["[red]"]],
    [["red"], [], ["red"]],
    [[], [["red"]], []],
  ]) {
    assert.deepEqual(markedList(mine, others).map(shown), expected);
  }
});

test("marked runs always give the text", () => {
  const rng = randomOf(4);
  const words = ["a", "bb", "Ç", " ", "  ", "\n", "1,5", "—", "🦦", "x-y"];
  for (let i = 0; i < 60; i += 1) {
    const [mine, ...others] = [0, 1, 2].map(() => rng.choices(words, rng.integer(8)).join(""));
    assert.equal(
      markedText(mine, others)
        .map((run) => run.text)
        .join(""),
      mine,
    );
  }
});

test("a page is marked or rejected once, and a second press goes back to the rule", () => {
  const place = { document: "b.pdf", page: 2 };
  const marked = picks.decidePage({}, "evidence", place, "pages");
  assert.deepEqual(marked.evidence.pages, [["b.pdf", 2]]);
  const rejected = picks.decidePage(marked, "evidence", place, "rejected");
  assert.deepEqual([rejected.evidence.pages, rejected.evidence.rejected], [[], [["b.pdf", 2]]]);
  const back = picks.decidePage(rejected, "evidence", place, "rejected");
  assert.deepEqual([back.evidence.pages, back.evidence.rejected], [[], []]);
  const followed = picks.takeOnPage(rejected, rejected.evidence, "evidence", place, "a");
  assert.deepEqual([followed.evidence.rejected, followed.evidence.at], [[], [["b.pdf", 2, "a"]]]);
  const again = picks.decidePage(followed, "evidence", place, "pages");
  assert.deepEqual([again.evidence.at, again.evidence.pages], [[], [["b.pdf", 2]]]);
});

test("the ways of a part come in turn, and only those that it allows", () => {
  const ways = ["side", "union", "intersection", "majority", "retention", "pick", "none"];
  const visited = [];
  let now = "side";
  for (let i = 0; i < 4; i += 1) {
    now = picks.nextWay(ways, now);
    visited.push(now);
  }
  assert.deepEqual([...visited].sort(), ["intersection", "majority", "retention", "union"]);
  assert.equal(picks.nextWay(ways, now), visited[0]);
  assert.equal(picks.nextWay(["side", "none"], "side"), null);
});

test("after one person's version comes the way after the proposed one", () => {
  const ways = ["side", "union", "intersection", "majority", "retention", "pick", "none"];
  assert.equal(picks.nextWay(ways, "retention", "retention"), "union");
  assert.equal(picks.nextWay(ways, "side", "retention"), "union");
  assert.equal(picks.nextWay(ways, "union", "retention"), "intersection");
  assert.equal(picks.nextWay(["side", "variants", "medoid"], "side", "medoid"), "variants");
  assert.equal(picks.nextWay(["side"], "side", "majority"), null);
});

test("one person's answer with another's pages is said by name", () => {
  const data = {
    participants: [
      { attempt: "a", name: "alma" },
      { attempt: "b", name: "bruno" },
    ],
    evidence: [
      { document: "d.pdf", page: 3, attempts: ["b"] },
      { document: "d.pdf", page: 4, attempts: ["a"] },
    ],
  };
  const mixed = { answered: ["a"], taken: "a", added: [["d.pdf", 3]], left_out: [] };
  const words = (change) => mixedWords(data, { ...mixed, ...change });
  assert.equal(mixedWords(data, null), "");
  assert.equal(words({}), "alma’s answer with other evidence: page 3 added (bruno).");
  assert.equal(
    words({
      left_out: [
        ["d.pdf", 4],
        ["e.pdf", 5],
      ],
    }),
    "alma’s answer with other evidence: page d.pdf 3 added (bruno), pages d.pdf 4 and e.pdf 5 left out.",
  );
  assert.equal(
    words({ answered: ["a", "b"], taken: null }),
    "The answer of alma and bruno with other evidence: page 3 added (bruno).",
  );
  assert.equal(
    words({ answered: ["dataset"], taken: "dataset" }),
    "The dataset’s answer with other evidence: page 3 added (bruno).",
  );
});

test("a task on which all agree against the dataset says why it waits", () => {
  const data = { status: "conflict", parts: [], raised_flags: [], rule: { accept: "agreed" } };
  assert.equal(whyLooked(data), "");
  assert.equal(
    whyLooked({ ...data, contradicts_dataset: true }),
    "Annotators agree on something else than the dataset.",
  );
});

test("picking pages begins with the draft and is its own inverse", () => {
  const place = { document: "a.pdf", page: 3 };
  const before = { answer: { how: "medoid" } };
  const once = picks.togglePage(before, [{ document: "a.pdf", page: 1 }], place);
  const pages = [
    ["a.pdf", 1],
    ["a.pdf", 3],
  ];
  assert.deepEqual(once, { ...before, evidence: { how: "pick", pages } });
  assert.deepEqual(picks.togglePage(once, [], place).evidence.pages, [["a.pdf", 1]]);
});

test("several answers are accepted: whoever was followed first, then one more or less", () => {
  const one = picks.takeFrom({}, "answer", "B");
  const all = picks.takeWay(one, "answer", "variants", ["A", "B", "C"]);
  assert.deepEqual(all.answer, { how: "variants", sides: ["B", "A", "C"] });
  const less = picks.takeAnswer(all, all.answer, "A");
  assert.deepEqual(less.answer, { how: "variants", sides: ["B", "C"] });
  const more = picks.takeAnswer(less, less.answer, picks.DATASET);
  assert.deepEqual(picks.sidesOf(more.answer), ["B", "C", picks.DATASET]);
  const last = { answer: { how: "variants", sides: ["B"] }, outcome: { how: "majority" } };
  assert.deepEqual(picks.takeAnswer(last, last.answer, "B"), { outcome: { how: "majority" } });
  const alone = picks.takeAnswer({}, { how: "medoid", side: null }, "A");
  assert.deepEqual(alone.answer, { how: "side", side: "A" });
});

/** A row of the table. */
const cells = (row, year, n, model = false) => ({
  field: "table",
  document: null,
  page: null,
  box: null,
  row,
  model,
  values: { year, n },
});

test("a table's rows are put beside each other: a model's, the same ones, and those that begin so", () => {
  const spec = {
    name: "table",
    columns: [
      { name: "year", option_titles: {} },
      { name: "n", option_titles: {} },
    ],
  };
  const left = [cells("m1", "2019", "1", true), cells("r1", "2020", "1"), cells("r2", "2021", "2")];
  const right = [
    cells("m1", "2018", "1", true),
    cells("s1", "2021", "3"),
    cells("s2", "2020", "1"),
  ];
  const sides = [side("A", { rows: left }), side("B", { rows: right })];
  const lines = tableLines(data(sides), { part: "table", spec });
  spec.columns[0].option_titles = { 2020: "zwanzig" };
  assert.equal(rowWords(spec, left[1]), "zwanzig | 1");
  assert.deepEqual(
    lines.map(({ versions, differs }) => [versions.map((row) => row?.row ?? null), differs]),
    [
      [["m1", "m1"], true],
      [["r1", "s2"], false],
      [["r2", "s1"], true],
    ],
  );
});

test("rows are taken one by one: another version in place of one, in the table's order", () => {
  const entry = (attempt, row) => [attempt, null, null, row];
  const lines = [
    [entry("A", "r1"), entry("B", "s2")],
    [entry("A", "r2"), entry("B", "s1")],
    [entry("B", "s3")],
  ];
  const before = [entry("A", "r1"), entry("A", "r2")];
  const toggle = (rows, one, taken) =>
    tableChoices.toggleRow({}, "table", rows, lines, one, taken).table.rows;
  const added = toggle(before, entry("B", "s3"), false);
  assert.deepEqual(added, [...before, entry("B", "s3")]);
  const other = toggle(added, entry("B", "s2"), false);
  assert.deepEqual(other, [entry("B", "s2"), entry("A", "r2"), entry("B", "s3")]);
  assert.deepEqual(toggle(other, entry("A", "r1"), true), other.slice(1), "alike: it goes out");
});

test("the draft's rows are traced to who wrote them", () => {
  const left = side("A", { rows: [cells("r1", "2020", "1"), cells("m1", "2019", "1", true)] });
  const right = side("B", { rows: [cells("r1", "2020", "2"), cells("m1", "2019", "3", true)] });
  const draft = [cells("g1-r1", "2020", "2"), cells("m1", "2019", "3", true)];
  assert.deepEqual(tableChoices.rowSources(draft, [left, right]), [
    ["B", null, null, "r1"],
    ["B", null, null, "m1"],
  ]);
  const [own] = tableChoices.rowSources([cells("r1", "2020", "2")], [left, right], "B");
  assert.deepEqual(own, ["B", null, null, "r1"]);
});

test("the draft's boxes are traced to who drew them", () => {
  const left = side("A", { boxes: [box("b1"), box("e1", { model: true, label: "Text" })] });
  const right = side("B", { boxes: [box("b1"), box("e1", { model: true, label: "Table" })] });
  const sides = [left, right];
  const draft = [box("g1-b1"), box("e1", { label: "Table" })];
  assert.deepEqual(picks.boxSources(draft, sides), [
    ["B", "b1"],
    ["B", "e1"],
  ]);
  const toggled = (before, n) => picks.toggleBox(before, draft, sides, "A", left.boxes[n]);
  const version = toggled({}, 1).boxes.boxes;
  assert.deepEqual(
    version,
    [
      ["B", "b1"],
      ["A", "e1"],
    ],
    "one version of an element",
  );
  const both = toggled({}, 0);
  assert.deepEqual(both.boxes.boxes, [
    ["B", "b1"],
    ["B", "e1"],
    ["A", "b1"],
  ]);
  assert.deepEqual(toggled(both, 0).boxes.boxes, [
    ["B", "b1"],
    ["B", "e1"],
  ]);
});

test("a side for one page goes beside what holds for the others, and is taken back", () => {
  const choice = { part: "relevance", how: "majority", side: null };
  const place = { document: "a.pdf", page: 2 };
  const taken = (before, attempt) => picks.takeOnPage(before, choice, "relevance", place, attempt);
  const first = taken({}, "B");
  assert.deepEqual(first, { relevance: { how: "majority", at: [["a.pdf", 2, "B"]] } });
  assert.equal(picks.chosenAt(first, "relevance", place), "B");
  const changed = taken(first, "A");
  assert.deepEqual(changed.relevance.at, [["a.pdf", 2, "A"]]);
  assert.deepEqual(taken(changed, "A").relevance.at, []);
});

test("choices that rest on work that is gone are dropped, and the others stay", () => {
  const evidence = [{ document: "a.pdf", page: 1, attempts: ["A"] }];
  const task = data([side("A", { boxes: [box("b1")] })], { evidence });
  task.merge_methods.boxes = ["side", "pick"];
  const chosen = {
    answer: { how: "side", side: "B" },
    outcome: { how: "side", side: "A" },
    evidence: {
      how: "pick",
      pages: [
        ["a.pdf", 1],
        ["a.pdf", 9],
      ],
    },
    boxes: {
      how: "pick",
      boxes: [
        ["A", "b1"],
        ["A", "b2"],
        ["B", "b1"],
      ],
    },
    gone: { how: "majority" },
    table: {
      how: "pick",
      rows: [
        ["A", null, null, "r1"],
        ["A", null, null, "r9"],
      ],
    },
  };
  task.merge_methods.table = ["side", "pick"];
  task.participants[0].rows = [cells("r1", "2020", "1")];
  assert.deepEqual(picks.withoutMissing(chosen, task), {
    table: { how: "pick", rows: [["A", null, null, "r1"]] },
    outcome: { how: "side", side: "A" },
    evidence: { how: "pick", pages: [["a.pdf", 1]] },
    boxes: { how: "pick", boxes: [["A", "b1"]] },
  });
});

test("the dataset's version outlives everybody's work, where the task has one", () => {
  const dataset_gold = { parts: ["outcome", "answer"], answers: [["42"]], evidence: [] };
  const task = data([side("A")], { dataset_gold });
  task.merge_methods.answer = ["side", "variants", "edited"];
  const kept = (answer, evidence = {}) => picks.withoutMissing({ answer, ...evidence }, task);
  const several = { how: "variants", sides: ["gone", picks.DATASET] };
  assert.deepEqual(kept(several).answer.sides, [picks.DATASET]);
  assert.deepEqual(kept({ how: "variants", sides: ["gone"] }), {});
  const taken = { how: "side", side: picks.DATASET };
  assert.deepEqual(kept(taken, { evidence: taken }), { answer: taken });
  const written = { how: "edited", texts: ["42", "forty-two"] };
  assert.deepEqual(kept(written).answer, written);
});

test("a model's draft is taken in what it states, edited, and dropped once it is rejected", () => {
  const draft = {
    ...side("draft:1", { name: "merger", answer: ["44"] }),
    parts: ["outcome", "answer", "evidence"],
    citations: [{ document: "d.pdf", page: 9 }],
    rejected: null,
  };
  const task = data([side("a"), side("b")], { model_drafts: [draft] });
  task.merge_methods.relevance = ["side", "majority"];
  const taken = picks.takeDraft({ relevance: { how: "majority" } }, task.merge_methods, draft);
  assert.deepEqual(taken.relevance, { how: "majority" });
  assert.deepEqual(taken.answer, { how: "side", side: "draft:1" });
  assert.deepEqual(picks.withoutMissing(taken, task), taken);
  assert.equal(picks.draftOfAnswer(taken.answer, task.model_drafts), "draft:1");
  assert.equal(picks.draftOfAnswer({ how: "side", side: "a" }, task.model_drafts), null);
  const edited = { answer: { how: "edited", texts: ["45"], side: "draft:1" } };
  task.merge_methods.answer = ["side", "edited"];
  assert.deepEqual(picks.withoutMissing(edited, task), edited);
  const page = { evidence: { how: "pick", pages: [["d.pdf", 9]] } };
  assert.deepEqual(picks.withoutMissing(page, task), page);

  task.model_drafts = [{ ...draft, rejected: "wrong" }];
  assert.deepEqual(picks.withoutMissing(taken, task), { relevance: { how: "majority" } });
  assert.deepEqual(picks.withoutMissing(edited, task), {
    answer: { how: "edited", texts: ["45"] },
  });
  assert.deepEqual(picks.withoutMissing(page, task).evidence.pages, []);
});

test("parts that differ come first, and every page once, those that differ first", () => {
  const part = (name, agreed, places) => ({ part: name, label: name, score: 0, agreed, places });
  const parts = [
    part("outcome", true, []),
    part("answer", true, []),
    part("evidence", false, [["b.pdf", 2]]),
  ];
  const evidence = [
    { document: "a.pdf", page: 1, attempts: ["A", "B"] },
    { document: "b.pdf", page: 2, attempts: ["A"] },
  ];
  const rows = rowsOf(data([side("A"), side("B")], { parts, evidence }));
  assert.deepEqual(
    rows.map((row) => row.part),
    ["evidence", "outcome", "answer"],
  );
  const pages = rows[0].pages.map((page) => [page.document, page.differs]);
  assert.deepEqual(pages, [
    ["b.pdf", true],
    ["a.pdf", false],
  ]);
});

test("versions of an element are put beside each other; who deleted it has none", () => {
  const given = { model: true, order: 1 };
  const left = [box("e1", { content: "a  b", ...given }), box("e2", given)];
  const right = [box("e1", { content: "A b", ...given }), box("d1")];
  const task = data([side("A", { boxes: left }), side("B", { boxes: right })]);
  const found = elementsOf(task, { document: "a.pdf", page: 1 });
  const differs = Object.fromEntries(found.map((element) => [element.id, element.differs]));
  assert.deepEqual(differs, { e1: false, e2: true, d1: true }, "space makes no difference");
  assert.deepEqual(
    found.map((element) => element.differs),
    [true, true, false],
  );
  const lost = found.find((element) => element.id === "e2");
  assert.deepEqual(lost.versions.map(Boolean), [true, false]);
});

test("every page is in the region of those who cited it, and in no other circle", () => {
  for (const people of [1, 2, 3]) {
    const attempts = Array.from({ length: people }, (_, i) => `p${i}`);
    const evidence = Array.from({ length: 2 ** people - 1 }, (_, i) => ({
      document: "a.pdf",
      page: i + 1,
      attempts: attempts.filter((_, bit) => ((i + 1) >> bit) & 1),
    }));
    const { regions, circles } = venn(evidence, attempts);
    assert.equal(regions.length, 2 ** people - 1);
    for (const { key, pages, x, y } of regions) {
      const members = key.split(",").map(Number);
      assert.equal(pages.length, 1);
      assert.deepEqual(new Set(members.map((i) => `p${i}`)), new Set(pages[0].attempts));
      const inside = circles.flatMap(({ cx, cy, r }, i) =>
        Math.hypot(x - cx, y - cy) < r ? [i] : [],
      );
      assert.deepEqual(new Set(inside), new Set(members));
    }
  }
});

test("combinations of many people hold every page once, the larger groups first", () => {
  const attempts = Array.from({ length: 6 }, (_, i) => `p${i}`);
  const rng = randomOf(2);
  const evidence = Array.from({ length: 40 }, (_, page) => {
    return { document: "a.pdf", page, attempts: rng.sample(attempts, 1 + rng.integer(6)) };
  });
  const groups = combinations(evidence, attempts);
  const pages = groups.flatMap((group) => group.pages.map(({ page }) => page));
  assert.deepEqual(
    pages.sort((a, b) => a - b),
    evidence.map(({ page }) => page),
  );
  const sizes = groups.map((group) => group.members.length);
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
  assert.equal(new Set(groups.map((group) => group.key)).size, groups.length);
});

test("a saved draft comes first while it rests on the work, or when it was edited by hand", () => {
  const gold = {
    choices: [{ part: "answer", how: "side", side: "A" }],
    edited: false,
    sources: [{ attempt: "A", annotator: "A", seq: 5 }],
    draft: side("g"),
  };
  const task = data([side("A")], { gold });
  assert.equal(storedFirst(task), true);
  assert.deepEqual(storedPicks(task), { answer: { how: "side", side: "A" } });
  task.reviewed_version.sources.A = 9;
  assert.equal(storedFirst(task), false);
  gold.edited = true;
  assert.equal(storedFirst(task), true);
});

test("changes between two looks are told by name; what the reviewer does is no news", () => {
  const before = data([side("A"), side("B")], { holder: null });
  const after = data([side("A"), side("C")], { holder: "me" });
  after.reviewed_version.sources = { A: 7, C: 1 };
  assert.deepEqual(changes(before, after).sort(), [
    "A has resubmitted this task.",
    "B has reopened this task.",
    "C has submitted this task.",
  ]);
  assert.deepEqual(changes(after, after), []);
  const gold = { version: 1, decided_by: " gold", automatic: true, checked: false, sources: [] };
  assert.deepEqual(changes(before, data([side("A"), side("B")], { holder: null, gold })), [
    "The campaign’s rule has accepted it: gold version 1.",
  ]);
});

test("keys mean their commands; the browser's own are left alone", () => {
  const keys = [
    { key: "n", ctrl: false, alt: false, shift: null, command: "nextConflict" },
    { key: "Enter", ctrl: true, alt: false, shift: null, command: "accept" },
    { key: "ArrowRight", ctrl: true, alt: false, shift: null, command: "nextTask" },
    { key: "ArrowRight", ctrl: false, alt: false, shift: null, command: "nextPage" },
    { key: "", ctrl: false, alt: false, shift: null, command: null },
  ];
  for (const [pressed, expected] of [
    [{ key: "n" }, { command: "nextConflict" }],
    [
      { key: "2", code: "Digit2" },
      { command: "takeFrom", number: 2 },
    ],
    [
      { key: "@", code: "Digit2", shift: true },
      { command: "takeAll", number: 2 },
    ],
    [{ key: "Enter", ctrl: true }, { command: "accept" }],
    [{ key: "Enter" }, null],
    [{ key: "ArrowRight" }, { command: "nextPage" }],
    [{ key: "ArrowRight", ctrl: true }, { command: "nextTask" }],
    [{ key: "т", code: "KeyN" }, { command: "nextConflict" }],
    [
      { key: "é", code: "Digit2" },
      { command: "takeFrom", number: 2 },
    ],
    [{ key: "n", ctrl: true }, null],
    [{ key: "n", alt: true }, null],
    [{ key: "1", code: "Digit1", ctrl: true }, null],
  ]) {
    const modifiers = { ctrl: false, shift: false, alt: false };
    const found = meaning(keys, { ...modifiers, ...pressed });
    assert.deepEqual(
      found && { ...expected, ...found, binding: undefined },
      expected && { ...expected, binding: undefined },
    );
  }
});

test("an act is sent again under its id until answered, and a refusal is final", async () => {
  const said = [];
  const sent = [];
  const acts = new Acts({
    base: "",
    onConnection: (trying) => said.push(trying),
    wait: async () => {},
  });
  const failures = [
    new ApiError("network", "gone"),
    new ApiError("retry", "busy", { status: 503 }),
  ];
  acts.api.request = async (_method, path, body) => {
    sent.push([path, body.id]);
    if (failures.length) throw failures.shift();
    return { done: true };
  };
  assert.deepEqual(await acts.send(7, "take", {}), { done: true });
  failures.push(new ApiError("retry", "taken", { status: 409, code: "taken" }));
  await assert.rejects(acts.send(7, "decide", {}), { code: "taken" });
  assert.deepEqual(said, [true, true, false]);
  const take = "/reviews/7/take";
  assert.deepEqual(
    sent.map(([path]) => path),
    [take, take, take, "/reviews/7/decide"],
  );
  const ids = sent.map(([, id]) => id);
  assert.equal(new Set(ids.slice(0, 3)).size, 1);
  assert.notEqual(ids[3], ids[0]);
});

test("only the last preview is shown; an earlier answer that comes late is dropped", async () => {
  const acts = new Acts({ base: "", onConnection: () => {} });
  const waiting = [];
  acts.api.request = () => new Promise((resolve, reject) => waiting.push([resolve, reject]));
  const asked = [acts.preview(1, {}), acts.preview(1, {}), acts.preview(1, {})];
  waiting[2][0]("last");
  waiting[0][0]("first");
  waiting[1][1](new Error("lost"));
  assert.deepEqual(await Promise.all(asked), [null, null, "last"]);
});

test("the place in the queue in words: filters, both ends, and the end of all", () => {
  for (const [position, total, filtered, text, campaigns = 1] of [
    [3, 17, false, "3 of 17"],
    [3, 1017, true, "3 of 1,017, filtered"],
    [null, 2, false, "2 in the queue"],
    [null, 0, true, "0 in the filtered queue"],
    [3, 17, true, "3 of 17, 2 campaigns, filtered", 2],
    [null, 4, false, "4 in the queue of 3 campaigns", 3],
  ]) {
    assert.equal(queue.placeWords({ position, total, filtered, campaigns }).text, text);
  }
  const narrowed = { filtered: true, campaigns: 1 };
  const whole = { filtered: false, campaigns: 1 };
  assert.match(queue.endWords(narrowed, 1), /in the filtered queue\.$/);
  assert.equal(queue.endWords(whole, -1), "This is the first task of the queue.");
  assert.match(queue.doneWords(narrowed), /^No other task of the filt/);
  assert.match(queue.doneWords(whole), /^The queue is done/);
});

test("the queue outlives a visit to the workspace, for that task and once", () => {
  const first = `task=5&queue=${encodeURIComponent("who=bruno&text=a b")}`;
  const go = (search) => window.history.replaceState(null, "", `/?${search}`);
  go(first);
  queue.keepQueue(5);
  const seen = [6, 5, 5].map((task) => {
    go(`task=${task}`);
    queue.restoreQueue(task);
    return queue.queueHere();
  });
  assert.deepEqual(seen, ["", "who=bruno&text=a b", ""]);
  go(first);
  queue.showTask(7);
  assert.equal(window.location.search, "?task=7&queue=who%3Dbruno%26text%3Da+b");
  const task = { campaign: "Rivers & seas" };
  const back = "/review?who=bruno&text=a+b&campaign=";
  for (const [campaign, end] of [
    [null, "Rivers+%26+seas"],
    ["All campaigns", "All+campaigns"],
  ]) {
    assert.equal(queue.queueScreen("/", { task, queue: { campaign } }), back + end);
  }
});

test("what was sent back keeps its place among the others", async () => {
  const around = { next: 8, previous: 6, following: 8 };
  const gone = { next: null, previous: 3, following: 3, position: null, total: 4 };
  const task = { holder: "me", token: "t", draft: null };
  const before = data([side("a")], { queue: { ...around, position: 2, total: 5 }, ...task });
  const after = data([side("a", { returned: true, status: "open" })], { queue: gone, ...task });
  const acts = { use() {}, forget() {}, send: async () => after };
  const session = new Session(acts, createReviewStore());
  session.receive(before, true);
  const seen = [];
  for (const act of ["comment", "return", "comment"]) {
    await session.act(act, {});
    seen.push(session.data.queue);
    if (seen.length === 1) session.receive(before, false);
  }
  session.receive(after, true);
  const kept = { ...gone, ...around };
  assert.deepEqual([...seen, session.data.queue], [gone, kept, kept, gone]);
});

/** A task that waits for these people, with how far they are. */
const waiting = (people, places = 0) =>
  data([side("a")], {
    unfinished: { people: people.map(([name, state]) => ({ name, state })), places },
  });
const BRUNO = ["bruno", "returned"];
const CLEO = ["cleo", "new"];

test("who was given the task meanwhile is news, and who took it up is told once", () => {
  const before = waiting([["bruno", "new"]]);
  assert.deepEqual(changes(before, before), []);
  const after = waiting([["bruno", "open"], CLEO]);
  assert.deepEqual(changes(before, after), ["cleo was given this task."]);
  const again = {
    ...waiting([
      ["a", "open"],
      ["bruno", "new"],
    ]),
    reviewed_version: { sources: {}, gold_seq: 0 },
  };
  assert.deepEqual(changes(before, again), ["a has reopened this task."]);
});

test("the key decides without somebody only when pressed again; the button does at once", async () => {
  let decided = 0;
  const decide = async () => {
    decided += 1;
    return false;
  };
  const store = createReviewStore();
  const draft = (changed = {}) => ({ missing: {}, open_pages: {}, ...changed });
  const show = (people, changed = {}) =>
    store.set({ loaded: { ...waiting(people), holder: null, draft: draft(), ...changed } });
  const choices = (tied) => [{ part: "answer", how: "none", tied }];
  const given = { parts: [{ part: "answer", label: "Answer", score: 1, places: [] }] };
  show([BRUNO], { ...given, choices: choices(false) });
  const session = {
    store,
    get data() {
      return store.review.value;
    },
    decide,
  };
  const said = [];
  const selected = [];
  const deciding = new Deciding(session, {
    flushAnswers() {},
    mayDecide: () => true,
    select: (part) => selected.push(part),
    say: (text) => said.push(text),
  });
  const seen = [];
  const press = async (byKey) => {
    await deciding.accept({ byKey });
    seen.push(decided);
  };
  await press(true);
  await press(true);
  show([BRUNO, CLEO], { ...given, choices: choices(false) });
  await press(true);
  await press(false);
  assert.deepEqual(seen, [0, 1, 1, 2]);
  assert.deepEqual(said, []);
  show([BRUNO, CLEO], { ...given, choices: choices(true) });
  await press(false);
  assert.deepEqual([decided, said.length], [2, 1]);
  assert.match(said[0], /^Answer is a tie/);
  const incomplete = draft({ missing: { answer: "The answer is empty." } });
  show([BRUNO, CLEO], { ...given, choices: choices(false), draft: incomplete });
  await press(false);
  assert.deepEqual([decided, said[1]], [2, "Not complete yet: The answer is empty."]);
  assert.deepEqual(selected, ["answer", "answer"]);
});

test("lines pasted as one answer can be several answers", () => {
  const store = createReviewStore();
  const written = [];
  const editing = new AnswerEditing(
    store,
    (texts) => written.push(texts),
    () => {},
  );
  store.set({ answers: ["seal", "otter\n\n stoat \nhare"] });
  editing.split(1);
  assert.deepEqual(store.data.answers, ["seal", "otter", "stoat", "hare"]);
  assert.deepEqual(written, [["seal", "otter", "stoat", "hare"]]);
});

test("what the dataset says is asked for, and only then on the screen", async () => {
  const plain = { holder: "me", token: "t", draft: null, queue: { position: 1 } };
  const hidden = data([side("a")], { ...plain, dataset_gold: null, has_dataset_gold: true });
  const evidence = [{ document: "a.pdf", page: 7 }];
  const dataset_gold = { parts: ["answer"], answers: [["42"]], evidence };
  const acts = new Acts({ base: "", onConnection: () => {} });
  const requests = [];
  acts.api.request = async (method, path, body) => {
    requests.push([method, path.replace(/queue=[^&]*&/, ""), body?.dataset_answers]);
    return path.includes("dataset=1") ? { ...hidden, dataset_gold } : hidden;
  };
  const session = new Session(acts, createReviewStore());
  session.receive(hidden, true);
  assert.deepEqual(pagesOfTask(session.data), []);
  await session.showDataset();
  await session.showDataset();
  assert.deepEqual(
    pagesOfTask(session.data).map(({ page, why }) => [page, why]),
    [[7, ["dataset"]]],
  );
  await session.decide();
  session.store.set({ datasetWrong: true });
  await session.decide();
  assert.deepEqual(requests, [
    ["GET", "/reviews/7?dataset=1", undefined],
    ["POST", "/reviews/7/decide?dataset=1", "kept"],
    ["POST", "/reviews/7/decide?dataset=1", "wrong"],
  ]);
  assert.ok(!acts.path(8).includes("dataset"), "of another task it is not asked for");
});

test("a preview that comes after the decision changes nothing", async () => {
  const plain = { holder: "me", token: "t", draft: null, queue: { position: 1 } };
  const gold = { version: 1, reopened: false, choices: [], edited: false, draft: null };
  const acts = new Acts({ base: "", onConnection: () => {} });
  let answer;
  acts.api.request = async (_method, path) =>
    path.endsWith("/preview")
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : data([side("a")], { ...plain, gold });
  const store = createReviewStore();
  const session = new Session(acts, store);
  session.receive(data([side("a")], plain), true);
  store.set({ picks: { answer: { how: "side", side: "a" } } });
  const asked = session.ask();
  await session.act("decide", {});
  const before = { ...store.data };
  answer({ draft: {}, choices: [] });
  await asked;
  assert.deepEqual(store.data, before);
  assert.deepEqual([store.data.busy, store.data.previewed], [false, null]);
});

test("boxes are counted by their labels in the reader's language", () => {
  const boxes = [box("b1", { title: "Tabelle" }), box("b2", { title: "Tabelle" }), box("b3")];
  assert.equal(boxWords(boxes), "3 boxes: 2 × Tabelle, 1 × no label");
});
