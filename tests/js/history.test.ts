import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../app/components/frontend/workspace/state/attempt_state";
import { type Command, reversal } from "../../app/components/frontend/workspace/state/history";
import { randomOf } from "./random";

type Stack = "undo" | "redo";

const PAGE = { document: "a.pdf", page: 1 };
const OTHER = { document: "b.pdf", page: 2 };
const BOX = { rect: [1, 2, 3, 4] as Pt.Rect, label: "Text" };

const START = {
  status: "open",
  answer_text: "",
  note: "",
  flag: null,
  question_text: null,
  citations: [],
  fields: [],
  rows: [],
  confirmed: [],
  boxes: { boxes: [], undo: [], redo: [] },
  undo: [],
  redo: [],
  draft_seq: 0,
} as unknown as Pt.AttemptState;

/** An attempt that events are recorded in. */
class Work {
  state = START;
  private count = 0;

  record(command: Command) {
    this.count += 1;
    const event = { ...command, id: `c-${this.count}`, seq: this.count } as Pt.FoldedEvent;
    this.state = apply(this.state, event);
    return event.id;
  }

  /** Undo or redo the last step; whether there was one. */
  turn(stack: Stack) {
    const step = this.state[stack].at(-1);
    if (!step) return false;
    const command = reversal(this.state, step, stack);
    assert.ok(command, `${step.part} cannot be reversed`);
    this.record(command);
    return true;
  }

  turnAll(stack: Stack) {
    let count = 0;
    while (this.turn(stack)) count += 1;
    return count;
  }

  /** What the person sees of it: without numbers of events, and an empty cell as none. */
  get content() {
    const { answer_text, note, flag, question_text, citations, fields, rows, boxes } = this.state;
    const filled = (cells: Record<string, string>) =>
      Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ""));
    const sorted = (items: object[]) => items.map((item) => JSON.stringify(item)).sort();
    return {
      texts: [answer_text, note, flag, question_text ?? ""],
      citations: sorted(citations.map(({ seq, ...citation }) => citation)),
      fields: sorted(fields.map(({ seq, ...field }) => field)),
      rows: sorted(
        rows
          .filter(({ deleted }) => !deleted)
          .map(({ seq, values, ...row }) => ({ ...row, values: filled(values) })),
      ),
      boxes: boxes.boxes.filter(({ deleted }) => !deleted).map(({ seq, ...box }) => box),
    };
  }
}

test("a grade is put back to the one before, then to none, and forward again", () => {
  const work = new Work();
  const grade = (value: string) =>
    work.record({ type: "field_set", payload: { field: "grade", ...PAGE, value } });
  const value = () => work.state.fields.map((field) => field.value);
  grade("1");
  grade("2");
  assert.ok(work.turn("undo"));
  assert.deepEqual(value(), ["1"]);
  assert.ok(work.turn("undo"));
  assert.deepEqual(value(), []);
  assert.ok(!work.turn("undo"), "nothing is left");
  assert.ok(work.turn("redo") && work.turn("redo"));
  assert.deepEqual(value(), ["2"]);
  work.turn("undo");
  grade("3");
  assert.ok(!work.turn("redo"), "a new change leaves nothing to redo");
});

test("the events of undoing name what they undo, those of redoing the undoing", () => {
  const work = new Work();
  const answered = work.record({ type: "answer_edited", payload: { text: "42" } });
  const [step] = work.state.undo;
  assert.deepEqual(reversal(work.state, step, "undo"), {
    type: "answer_edited",
    payload: { text: "", undoes: answered },
  });
  work.turn("undo");
  const undone = work.state.redo[0];
  assert.notEqual(undone.id, answered);
  const redone = reversal(work.state, undone, "redo");
  assert.deepEqual(redone?.payload, { text: "42", undoes: undone.id });
});

test("a citation comes back with the search that it came from", () => {
  const work = new Work();
  work.record({ type: "citation_added", payload: { ...PAGE, search_id: "s1", rank: 3 } });
  work.record({ type: "citation_removed", payload: PAGE });
  work.turn("undo");
  const [{ search_id, rank }] = work.state.citations;
  assert.deepEqual([search_id, rank], ["s1", 3]);
});

test("rows: cells are put back, a new row goes, a deleted one comes back with its cells", () => {
  const work = new Work();
  const set = (values: Record<string, string>) =>
    work.record({ type: "row_set", payload: { field: "points", row: "r-1", values } });
  set({});
  set({ value: "4" });
  set({ value: "5", label: "x" });
  work.record({ type: "row_deleted", payload: { field: "points", row: "r-1" } });
  const rows = () => work.content.rows.map((row) => JSON.parse(row).values);
  assert.deepEqual(rows(), []);
  work.turn("undo");
  assert.deepEqual(rows(), [{ value: "5", label: "x" }]);
  work.turn("undo");
  assert.deepEqual(rows(), [{ value: "4" }]);
  work.turn("undo");
  work.turn("undo");
  assert.deepEqual(rows(), []);
  work.turnAll("redo");
  assert.deepEqual(rows(), [], "the deletion is redone as well");
});

test("what sets the same again, views and confirmations are no steps", () => {
  const work = new Work();
  work.record({ type: "note_edited", payload: { text: "" } });
  work.record({ type: "unflagged", payload: {} });
  work.record({ type: "field_set", payload: { field: "grade", value: null } });
  work.record({ type: "citation_removed", payload: PAGE });
  work.record({ type: "page_viewed", payload: { ...PAGE, via: "next" } });
  assert.deepEqual(work.state.undo, []);
});

test("a change that another one of the same value followed is not reversed", () => {
  const work = new Work();
  work.record({ type: "note_edited", payload: { text: "one" } });
  const [early] = work.state.undo;
  work.record({ type: "note_edited", payload: { text: "two" } });
  assert.equal(reversal(work.state, early, "undo"), null);
});

test("fifty steps are kept, fewer where texts are long, and the last one always", () => {
  const work = new Work();
  const note = (text: string) => work.record({ type: "note_edited", payload: { text } });
  for (let n = 0; n < 60; n += 1) note(`note ${n}`);
  assert.equal(work.turnAll("undo"), 50);
  assert.equal(work.state.note, "note 9");
  for (const letter of "abcd") note(letter.repeat(9_000));
  assert.equal(work.turnAll("undo"), 2);
  for (const letter of "ef") note(letter.repeat(30_000));
  assert.equal(work.turnAll("undo"), 1);
});

/** Any change that the state allows. */
function change(work: Work, pick: <Item>(items: Item[]) => Item, n: number): Command {
  const { state } = work;
  const page = pick([PAGE, OTHER]);
  const boxes = state.boxes.boxes.filter((box) => !box.deleted);
  const rows = state.rows.filter((row) => !row.deleted);
  const cited = state.citations.some((c) => c.document === page.document);
  const text = pick(["", "one", "two words", `text ${n}`]);
  const commands: Command[] = [
    { type: "field_set", payload: { field: "grade", ...page, value: pick(["0", "1", null]) } },
    {
      type: "field_set",
      payload: { field: "parts", ...page, value: pick([["a"], ["a", "b"], null]) },
    },
    { type: "field_set", payload: { field: "size", value: pick([0, 1.5, null]) } },
    { type: "field_set", payload: { field: "usable", value: pick([true, false, null]) } },
    { type: "answer_edited", payload: { text } },
    { type: "question_edited", payload: { text } },
    { type: "note_edited", payload: { text } },
    { type: "flagged", payload: { comment: text } },
    { type: "unflagged", payload: {} },
    cited
      ? { type: "citation_removed", payload: page }
      : {
          type: "citation_added",
          payload: { ...page, ...pick([{}, { search_id: "s", rank: n + 1 }]) },
        },
    {
      type: "row_set",
      payload: { field: "cells", row: pick(["r1", `r-${n}`]), values: pick([{}, { a: text }]) },
    },
    { type: "box_drawn", payload: { box: `b-${n}`, ...page, ...BOX } },
  ];
  if (rows.length) {
    const { field, row } = pick(rows);
    commands.push({ type: "row_set", payload: { field, row, values: { b: text } } });
    commands.push({ type: "row_deleted", payload: { field, row } });
  }
  if (boxes.length) {
    const { id: box } = pick(boxes);
    commands.push(
      { type: "field_set", payload: { field: "why", box, value: text } },
      { type: "box_moved", payload: { box, rect: [n, n, n + 2, n + 2] } },
      { type: "box_labelled", payload: { box, label: pick(["Text", "Table"]) } },
      { type: "box_ordered", payload: { box, order: pick([null, n]) } },
      { type: "box_content_edited", payload: { box, content: text } },
      { type: "box_deleted", payload: { box } },
    );
  }
  return pick(commands);
}

for (const seed of [28, 1995, 40302]) {
  test(`undoing all of random work leaves the start, redoing all the end (seed ${seed})`, () => {
    const { integer } = randomOf(seed);
    const pick = <Item>(items: Item[]) => items[integer(items.length)];
    for (let round = 0; round < 40; round += 1) {
      const work = new Work();
      const start = work.content;
      const length = 1 + integer(45);
      for (let n = 0; n < length; n += 1) {
        if (integer(5) === 0) work.turn(pick(["undo", "redo"]));
        else work.record(change(work, pick, n));
      }
      work.turnAll("redo");
      const end = work.content;
      const count = work.turnAll("undo");
      assert.deepEqual(work.content, start);
      assert.equal(work.turnAll("redo"), count);
      assert.deepEqual(work.content, end);
      while (integer(3)) work.turn(pick(["undo", "undo", "redo"]));
      work.turnAll("undo");
      assert.deepEqual(work.content, start);
    }
  });
}
