/** What the keys of the workspace do, and in which modes. */

import { key } from "../shared/keys";

/**
 * `when` names what must hold for an entry to work (`conditions` below). In each mode a key has one
 * entry at most; letters and digits that a protocol gives to options and labels are theirs alone,
 * and no entry is a digit, so that no key of the viewer can ever write a label.
 */
export const MAP = [
  key("Search", "/", "focusSearch", "Search", { when: ["search"] }),
  key("Search", "Enter", null, "Run the search, open the result", { when: ["search"] }),
  key("Search", "ArrowDown", "nextResult", "Next, previous result", {
    shown: ["↓", "↑"],
    when: ["results", "free"],
  }),
  key("Search", "ArrowUp", "previousResult", undefined, { when: ["results", "free"] }),
  key("Fields", "u", "nextField", "Next field without a value; digits choose there", {
    when: ["asks", "edits"],
  }),
  key("Fields", "m", "nextUnfinished", "Next page with something missing", { when: ["gaps"] }),
  key("Boxes", "b", "toolBox", "Draw boxes, or stop drawing", { when: ["boxes"] }),
  key("Page", "t", "toolText", "Select text on the page, or stop selecting", { when: ["words"] }),
  key("Page", "c", null, "Copy the selected words", {
    ctrl: true,
    shown: ["Ctrl", "C"],
    when: ["selecting"],
  }),
  key("Page", "x", "copyToAnswer", "Copy the selected words into the answer", { when: ["copies"] }),
  key("Boxes", "v", "acceptElement", "Accept the selected element, go to the next one to check", {
    when: ["elements", "changes"],
  }),
  key("Boxes", "j", "nextElement", "Next, previous box", { when: ["boxes"], shown: ["j", "k"] }),
  key("Boxes", "k", "previousElement", undefined, { when: ["boxes"] }),
  key("Boxes", "ArrowUp", "earlier", "Earlier, later in the reading order", {
    when: ["ordered"],
    alt: true,
    shown: ["Alt", "↑", "↓"],
  }),
  key("Boxes", "ArrowDown", "later", undefined, { when: ["ordered"], alt: true }),
  key("Fields", "j", "nextRow", "Next row without a decision", { when: ["rows"] }),
  key("Fields", "n", "nextStep", "Next step", { when: ["steps"], shift: false }),
  key("Fields", "n", "previousStep", "Previous step", {
    when: ["steps"],
    shift: true,
    shown: ["Shift", "N"],
  }),
  key("Fields", "k", "playSteps", "Play the steps, or stop", { when: ["steps"] }),
  key("Boxes", "ArrowRight", "nudge", "Move the selected box; with Shift by 10", {
    when: ["held"],
    shown: ["←", "↑", "→", "↓"],
  }),
  ...["ArrowLeft", "ArrowUp", "ArrowDown"].map((name) =>
    key("Boxes", name, "nudge", undefined, { when: ["held"] }),
  ),
  key("Boxes", "Tab", "tabBox", "Next box of the page", { when: ["selected"] }),
  key("Boxes", "Enter", "placeBox", "Put a box on the page", { when: ["drawing", "unselected"] }),
  key("Boxes", "Enter", "holdBox", "Let the arrow keys move the selected box", {
    when: ["selected", "changes", "free"],
  }),
  key("Boxes", "Delete", "deleteBox", "Delete the selected box", {
    when: ["selected", "changes"],
    shown: ["Del"],
  }),
  key("Boxes", "Backspace", "deleteBox", undefined, { when: ["selected", "changes"] }),
  key("Boxes", "d", "duplicateBox", "Duplicate the selected box", {
    when: ["selected", "changes"],
    ctrl: true,
    shown: ["Ctrl", "D"],
  }),
  key("Boxes", "z", "undo", "Undo", {
    when: ["boxes", "changes"],
    ctrl: true,
    shift: false,
    shown: ["Ctrl", "Z"],
  }),
  key("Boxes", "z", "redo", "Redo", {
    when: ["boxes", "changes"],
    ctrl: true,
    shift: true,
    shown: ["Ctrl", "Shift", "Z"],
  }),
  key("Boxes", "y", "redo", undefined, { when: ["boxes", "changes"], ctrl: true }),
  key("Boxes", "h", "hideBoxes", "Hide or show the boxes", { when: ["boxes"] }),
  key("Page", "ArrowRight", "nextPage", "Previous, next page", {
    shown: ["←", "→"],
    when: ["page", "free"],
  }),
  key("Page", "ArrowLeft", "previousPage", undefined, { when: ["page", "free"] }),
  key("Page", " ", "readOn", "Scroll the page down, up with Shift; at its end turn", {
    shown: ["Space"],
    when: ["page", "pans"],
  }),
  key("Page", "PageDown", "readOn", "The same", {
    shown: ["Page ↓", "Page ↑"],
    when: ["page", "pans"],
  }),
  key("Page", "PageUp", "readOn", undefined, { when: ["page", "pans"] }),
  key("Page", "Home", "firstPage", "First, last page", { shown: ["Home", "End"], when: ["page"] }),
  key("Page", "End", "lastPage", undefined, { when: ["page"] }),
  key("Page", "g", "goToPage", "Go to a page by number", { when: ["page"] }),
  key("Page", "f", "find", "Find in this document", {
    ctrl: true,
    shown: ["Ctrl", "F"],
    when: ["finds"],
  }),
  key("Page", "d", "beside", "Keep this page beside others, or put it away", {
    when: ["page"],
    shift: false,
  }),
  key("Page", "d", "swapBeside", "Swap the two pages", {
    when: ["page", "beside"],
    shift: true,
    shown: ["Shift", "D"],
  }),
  key("Page", "c", "cite", "Add or remove as citation", { when: ["evidence", "page", "edits"] }),
  key("Page", "+", "zoomIn", "Zoom in, out", { shown: ["+", "−"], when: ["page"] }),
  key("Page", "=", "zoomIn", undefined, { when: ["page"] }),
  key("Page", "-", "zoomOut", undefined, { when: ["page"] }),
  key("Page", "w", "fitWidth", "Fit width", { when: ["page"] }),
  key("Page", "e", "fitPage", "Fit the whole page", { when: ["page"] }),
  key("Page", "r", "rotate", "Turn the view", { when: ["page"] }),
  key("Page", "l", "lastPlace", "Back to the last place, and forth", {
    when: ["page", "back"],
    shift: false,
  }),
  key("Page", "l", "recent", "Recent pages", {
    when: ["page"],
    shift: true,
    shown: ["Shift", "L"],
  }),
  key("Page", "q", "toggleContext", "Show question and results, or make room for the page", {
    when: ["page"],
  }),
  key("Page", "z", "toggleReading", "Show the page alone, or the whole screen", { when: ["page"] }),
  key("Answer", "a", "focusAnswer", "Answer", { when: ["answer", "edits"] }),
  key("Answer", "Enter", "submit", "Submit", {
    ctrl: true,
    shown: ["Ctrl", "Enter"],
    when: ["edits"],
  }),
  key("Answer", "f", "flag", "Flag", { when: ["edits", "own"] }),
  key("Answer", "s", "skip", "Skip", { when: ["edits", "own"] }),
  key("Task", "ArrowRight", "nextTask", "Previous, next task", {
    ctrl: true,
    shown: ["Ctrl", "←", "→"],
  }),
  key("Task", "ArrowLeft", "previousTask", undefined, { ctrl: true }),
  key("Task", "z", "undoSubmit", "Undo the last submission", {
    when: ["undoable", "unboxed"],
    ctrl: true,
    shift: false,
    shown: ["Ctrl", "Z"],
  }),
  key("Task", "p", "pause", "Pause, resume", { when: ["pause", "edits", "own"] }),
  key("Task", "i", "guidelines", "Guidelines"),
  key("Task", "?", "help", "Keys"),
  key("Task", "Escape", "escape", "Leave a field, a box or a tool, close a dialog", {
    shown: ["Esc"],
  }),
];
