/**
 * What the browser makes of each line of JSON from standard input; the test in
 * tests/contract/test_browser_rules.py compares it with what Python makes of the same.
 */

import { createInterface } from "node:readline";
import { Track } from "../../app/components/frontend/replay/script_state";
import { verdict } from "../../app/components/frontend/shared/box_state";
import { finalOrder } from "../../app/components/frontend/shared/reading_order";
import { useSentences } from "../../app/components/frontend/shared/sentences";
import { boxesInTheWay } from "../../app/components/frontend/workspace/boxes/blocking_boxes";
import { drawRefusal } from "../../app/components/frontend/workspace/boxes/drawing_rules";
import { wrongCell } from "../../app/components/frontend/workspace/fields/record_state";
import { calculationOf } from "../../app/components/frontend/workspace/panels/arithmetic";
import { plainQuotes } from "../../app/components/frontend/workspace/search/plain_quotes";
import { keysIn } from "../../app/components/frontend/workspace/shortcuts";
import { apply, parseAnswers } from "../../app/components/frontend/workspace/state/attempt_state";
import { missing } from "../../app/components/frontend/workspace/state/completeness";
import { withVerdict } from "../../app/components/frontend/workspace/state/contradictions";
import {
  boxTarget,
  Form,
  pageTarget,
  TASK,
} from "../../app/components/frontend/workspace/state/form_state";

const on = (state, [document, page]) =>
  state.boxes.boxes.filter((box) => box.document === document && box.page === page);

/** What a form asks in each state. */
function forms({ protocol, states, given, outcomes, pages }) {
  return states.map((state) => {
    const form = new Form(protocol, state, given);
    const targets = {
      task: [TASK],
      page: pages.map(([document, page]) => pageTarget(document, page)),
      box: state.boxes.boxes.map(boxTarget),
    };
    const asked = (spec) => (target) => [
      form.asked(spec, target),
      form.options(spec, target).map((option) => option.value),
      form.value(spec, target),
      form.rows(spec, target).map((row) => row.row),
      form.isUnset(spec, target),
    ];
    return {
      ended: form.ended,
      boxes: pages.map(([document, page]) => form.mayHaveBoxes(document, page)),
      verdicts: state.boxes.boxes.map(verdict),
      order: Object.fromEntries(pages.flatMap((page) => [...finalOrder(on(state, page))])),
      fields: protocol.fields.map((spec) => ({
        targets: form.targets(spec).map((t) => [t.document, t.page, t.box]),
        each: targets[spec.scope].map(asked(spec)),
      })),
      missing: outcomes.map((outcome) => Object.entries(missing(form, outcome))),
    };
  });
}

/** What the replay shows after each event, read forwards and then backwards. */
function replay(data) {
  const track = new Track(data);
  const name = (page) => [track.pages[page].document, track.pages[page].number];
  const read = (seq) => {
    const place = track.page(seq);
    const boxes = {};
    for (const page of track.pages.keys()) {
      for (const box of track.boxes(page, seq)) {
        boxes[box.id] = [name(page), box.rect, box.label, box.verdict];
      }
    }
    return {
      query: track.search(seq)?.query ?? null,
      page: place ? name(place.page) : null,
      citations: track.citations(seq).map(name),
      boxes,
      count: track.countBoxes(seq),
      texts: ["answer", "question", "note"].map((text) => track.text(text, seq)),
      fields: track.fields(seq).map(({ field, page, box, value }) => {
        return [field, page === null ? null : name(page), box, value];
      }),
    };
  };
  const seqs = Array.from({ length: track.length }, (_, i) => i + 1);
  // What was looked up before must not matter.
  return [seqs.map(read), seqs.reverse().map(read).reverse()];
}

/** The text of a page and its patches after each event, read forwards and then backwards. */
function replayedText(data) {
  const track = new Track(data);
  const read = (seq) => ({
    text: track.text("transcript", seq),
    patches: track.patches(seq).map(({ id, state, at }) => [id, state, at]),
  });
  const seqs = Array.from({ length: track.length }, (_, i) => i + 1);
  return [seqs.map(read), seqs.reverse().map(read).reverse()];
}

const ANSWERS = {
  fold({ start, events, keys }) {
    let state = start;
    return events.map((event) => {
      state = apply(state, event);
      return Object.fromEntries(keys.map((key) => [key, state[key]]));
    });
  },
  calculations: (texts) => texts.map(calculationOf),
  parseAnswers: (texts) => texts.map(parseAnswers),
  wrongCells: (cells) => cells.map((cell) => Boolean(wrongCell({ kind: "number" }, cell))),
  verdicts: ({ spec, cases }) => cases.map(([row, values]) => withVerdict(spec, row, values)),
  forms,
  boxesInTheWay: ({ protocol, cases, given }) =>
    cases.map(([state, { field, document, page, value }]) => {
      const form = new Form(protocol, state, given);
      const target = page === null ? TASK : pageTarget(document, page);
      return boxesInTheWay(form, form.field(field), target, value).length > 0;
    }),
  drawRefusals: ({ protocol, states, given, places }) =>
    states.map((state) => {
      const form = new Form(protocol, state, given);
      return places.map((place) => drawRefusal(form, place));
    }),
  replay,
  replayedText,
  plainQuotes,
  keysIn: ({ attempt, modes }) => modes.map((mode) => keysIn(attempt, mode)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, data, sentences] = JSON.parse(line);
  useSentences(sentences);
  process.stdout.write(`${JSON.stringify(ANSWERS[name](data))}\n`);
}
