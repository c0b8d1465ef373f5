/** What keys do on the review screen. */

/** What the commands of keys do; false leaves a key to others. */
export const COMMANDS: Record<Pt.ReviewCommand, (screen: Pt.Reviewing) => unknown> = {
  nextConflict: (screen) => screen.nextConflict(),
  merge: ({ deciding }) => deciding.merge(),
  asProposed: ({ deciding }) => deciding.asProposed(),
  dataset: ({ deciding }) => deciding.answers.dataset(),
  editAnswer: ({ deciding }) => deciding.answers.edit(),
  reason: (screen) => screen.focusReason(),
  accept: ({ deciding }) => void deciding.accept({ byKey: true }),
  undo: ({ deciding }) => void deciding.undo(),
  edit: ({ deciding }) => void deciding.edit(),
  sendBack: ({ deciding }) => void deciding.sendBack(),
  take: ({ deciding }) => deciding.take(),
  nextTask: (screen) => screen.step(1),
  previousTask: (screen) => screen.step(-1),
  guidelines: (screen) => screen.guidelines(),
  help: (screen) => screen.help(),
  nextPage: (screen) => screen.turnBy(1),
  previousPage: (screen) => screen.turnBy(-1),
  zoomIn: ({ sheet }) => sheet.zoomStep(1),
  zoomOut: ({ sheet }) => sheet.zoomStep(-1),
  fit: ({ sheet }) => sheet.toggleFit(),
  hideBoxes: (screen) => screen.hideBoxes(),
  wide: (screen) => screen.wide(),
  escape: (screen) => screen.escape(),
};
