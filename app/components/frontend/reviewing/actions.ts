/** What keys do on the review screen, and clicks in the comparison. */

import { toggleRow } from "./decision/row_selections";
import * as picks from "./decision/selections";

/** What the keys do, by the names in shortcuts.ts; false leaves a key to others. */
export const KEYS: Record<string, (screen: Pt.Reviewing) => unknown> = {
  nextConflict: (screen) => screen.nextConflict(),
  merge: ({ deciding }) => deciding.merge(),
  asProposed: ({ deciding }) => deciding.asProposed(),
  dataset: ({ deciding }) => deciding.answers.dataset(),
  editAnswer: ({ deciding }) => deciding.answers.edit(),
  reason: ({ bar }) => bar.reason.focus(),
  accept: ({ deciding }) => void deciding.accept({ byKey: true }),
  undo: ({ deciding }) => void deciding.undo(),
  edit: ({ deciding }) => void deciding.edit(),
  sendBack: ({ deciding }) => void deciding.sendBack(),
  take: ({ deciding }) => deciding.take(),
  nextTask: (screen) => screen.step(1),
  previousTask: (screen) => screen.step(-1),
  guidelines: (screen) => screen.guidelines(),
  help: (screen) => screen.help(),
  nextPage: ({ pane }) => pane.step(1),
  previousPage: ({ pane }) => pane.step(-1),
  zoomIn: ({ pane }) => pane.stage.zoomStep(1),
  zoomOut: ({ pane }) => pane.stage.zoomStep(-1),
  fit: ({ pane }) => pane.toggleFit(),
  hideBoxes: ({ pane }) => pane.hideBoxes(),
  wide: (screen) => screen.wide(),
  escape: (screen) => screen.escape(),
};

/** What a click in the comparison does. */
export function matrixActions(screen: Pt.Reviewing): Pt.MatrixActions {
  const { deciding } = screen;
  return {
    part: (part) => screen.select(part),
    takeFrom: (part, attempt) => deciding.takeFrom(part, attempt),
    way: (part, how) => deciding.way(part, how),
    edit: () => deciding.answers.edit(),
    write: (texts) => deciding.answers.write(texts),
    row: (part, before, lines, entry, taken) =>
      deciding.pick((now) => toggleRow(now, part, before, lines, entry, taken), part),
    all: (attempt) => deciding.pick(() => picks.takeAll(screen.session.data.ways, attempt)),
    page: (place) => screen.turn(place),
    show: (box) => {
      screen.turn(box);
      screen.pane.reveal(box);
    },
    cite: (place) =>
      deciding.pick(
        (now) => picks.togglePage(now, screen.store.draft.value.citations, place),
        "evidence",
      ),
    rule: (part, place, verdict) =>
      deciding.pick((now) => picks.decidePage(now, part, place, verdict), part),
    at: (part, place, attempt) => deciding.at(part, place, attempt),
    box: (attempt, box) => deciding.box(attempt, box),
    comments: (participant) => deciding.comments(participant),
    replay: (participant) => screen.replay(participant),
  };
}
