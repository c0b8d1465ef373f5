/** The workspace's keys. */

import { isTyping } from "../shared/dom.js";
import * as keys from "../shared/keys.js";

const { key } = keys;
/**
 * `when` names what must hold for an entry to work (`conditions` below). In each mode a key has one
 * entry at most; letters and digits that a protocol gives to options and labels are theirs alone,
 * and no entry is a digit, so that no key of the viewer can ever write a label.
 */
const MAP = [
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
  key("Boxes", "t", "toolText", "Select text for a box", { when: ["boxes"] }),
  key("Boxes", "v", "acceptElement", "Accept the selected element, go to the next one to check", {
    when: ["elements", "changes"],
  }),
  key("Boxes", "j", "nextElement", "Next, previous box", { when: ["boxes"], shown: ["j", "k"] }),
  key("Boxes", "k", "previousElement", undefined, { when: ["boxes"] }),
  key("Fields", "j", "nextRow", "Next row without a decision", { when: ["rows"] }),
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
  key("Page", "c", "cite", "Add or remove as citation", { when: ["evidence", "page", "edits"] }),
  key("Page", "+", "zoomIn", "Zoom in, out", { shown: ["+", "−"], when: ["page"] }),
  key("Page", "=", "zoomIn", undefined, { when: ["page"] }),
  key("Page", "-", "zoomOut", undefined, { when: ["page"] }),
  key("Page", "w", "fitWidth", "Fit width", { when: ["page"] }),
  key("Page", "e", "fitPage", "Fit the whole page", { when: ["page"] }),
  key("Page", "r", "rotate", "Turn the view", { when: ["page"] }),
  key("Page", "l", "lastPlace", "Back to the last place, and forth", { when: ["page", "back"] }),
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

/**
 * What holds on the screen, by the names in the map.
 * @param {Pt.Protocol} protocol
 * @param {Pt.KeyMode} mode
 * @returns {Record<string, boolean>}
 */
function conditions(protocol, mode) {
  const { search, boxes, evidence, answer, clock, fields } = protocol;
  const { page, given, selected } = mode;
  return {
    page,
    pans: mode.pans,
    back: mode.back,
    edits: mode.edits,
    changes: mode.changes,
    own: !mode.review,
    search: search.enabled && mode.edits,
    results: search.enabled || given,
    boxes: boxes.enabled && page,
    elements: boxes.enabled && boxes.seed,
    drawing: boxes.enabled && page && mode.drawing && mode.changes,
    selected: boxes.enabled && page && selected,
    unselected: !selected,
    held: boxes.enabled && page && selected && mode.held && mode.changes,
    free: !(boxes.enabled && page && selected && mode.held && mode.changes),
    evidence: evidence.enabled,
    answer: answer.kind !== "off",
    pause: clock.pause,
    asks: fields.some((spec) => spec.kind !== "records"),
    undoable: mode.undoable,
    unboxed: !boxes.enabled,
    gaps: given && fields.some((spec) => spec.scope === "page"),
    rows: !boxes.enabled && fields.some((spec) => spec.kind === "records"),
  };
}

/**
 * The letters and digits that a protocol gives to its options and labels.
 * @param {Pt.Protocol} protocol
 * @param {Record<string, string|null>} labelKeys key by label
 */
function ownKeys({ boxes, fields }, labelKeys) {
  const labels = boxes.enabled ? Object.values(labelKeys) : [];
  const options = fields.flatMap((spec) => spec.options.map((option) => option.key));
  return new Set([...labels, ...options].map((name) => name?.toLowerCase()));
}

/**
 * The keys that work in a mode, each once.
 * @param {Pt.Protocol} protocol
 * @param {Record<string, string|null>} labelKeys key by label
 * @param {Pt.KeyMode} mode
 * @returns {Pt.Key[]} with `run` "optionKey" for the protocol's own
 */
export function keysIn(protocol, labelKeys, mode) {
  if (mode.paused) return MAP.filter(({ run }) => run === "pause");
  const holds = conditions(protocol, mode);
  const own = ownKeys(protocol, labelKeys);
  const found = MAP.filter(
    (entry) => (entry.ctrl || !own.has(entry.key)) && (entry.when ?? []).every((c) => holds[c]),
  );
  const labelling = holds.drawing || (holds.selected && mode.changes);
  /** @type {Map<string, Pt.Key>} */
  const mine = new Map();
  for (const [label, name] of Object.entries(labelling ? labelKeys : {}))
    if (name) mine.set(name.toLowerCase(), key("Boxes", name, "optionKey", `Label: ${label}`));
  for (const { spec, option } of mode.options) {
    const name = option.key?.toLowerCase();
    if (!name || mine.has(name)) continue;
    mine.set(
      name,
      key("Fields", option.key ?? "", "optionKey", `${spec.label}: ${option.label}`, {}),
    );
  }
  return [...found, ...mine.values()];
}

/**
 * The keys of a mode by group, for the help.
 * @param {Pt.Protocol} protocol
 * @param {Record<string, string|null>} labelKeys key by label
 * @param {Pt.KeyMode} mode
 */
export const keyGroups = (protocol, labelKeys, mode) =>
  keys.keyGroups(keysIn(protocol, labelKeys, mode));

/**
 * Whether a key event belongs to the focused control instead of the map.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function belongsToControl(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const own =
    /** @type {HTMLElement | null} */ (target.closest("[data-keys]"))?.dataset.keys?.split(" ") ??
    [];
  if (own.includes(event.key) || own.includes(event.key.toLowerCase())) return true;
  if (READING.has(event.key) && !isUpOrDown(event) && readsElsewhere(target)) return true;
  if (target.matches("input[type=radio], input[type=checkbox], input[type=range]")) {
    return event.key.startsWith("Arrow");
  }
  return isUpOrDown(event) && Boolean(target.closest("[role=radiogroup]"));
}

/** @param {{ key: string }} given */
const isUpOrDown = ({ key }) => key === "ArrowUp" || key === "ArrowDown";

const READING = new Set([" ", "PageDown", "PageUp", "ArrowDown", "ArrowUp"]);
const CONTROLS = "a, button, input, select, summary, [tabindex]:not(.pane, .question-text)";

/**
 * Whether a key that reads on is another's: of a focused control, or of a panel that scrolls.
 * @param {Element} target
 */
const readsElsewhere = (target) => Boolean(target.closest(`${CONTROLS}, .scrolls`));

/** Whether the page has the focus. @param {any} event */
function isPage(event) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(".pane");
}

/**
 * Listen for keys.
 * @param {Object} options
 * @param {(name: string) => (...args: any[]) => any|null} options.action by the names in the map and
 *   "optionKey"; an action that returns false leaves the key alone
 * @param {() => Pt.Key[]} options.working the keys that work now, as of `keysIn`
 * @param {() => boolean} options.blocked true while a dialog is open
 * @param {(event: Event) => boolean} options.foreign whether the event comes from a field outside
 * @param {Element|ShadowRoot} options.root
 * @returns {() => void} stop listening
 */
export function listenKeys({ action, working, blocked, foreign, root }) {
  /** @type {(name: string, event: KeyboardEvent, pressed: string) => boolean} */
  const takes = (name, event, pressed) => {
    const run = action(name);
    return run !== null && run(event, pressed) !== false;
  };
  return keys.listenOnWindow(root, (event) => {
    if (event.isComposing || event.altKey || foreign(event) || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // In a text Ctrl with letters and arrows is the text's own.
    if (isTyping(event) && !(ctrl && pressed === "Enter") && pressed !== "Escape") return;
    if (belongsToControl(event)) return;
    const entries = working();
    // On the page ↑ and ↓ read on, unless they move a box.
    const reads = !ctrl && isUpOrDown(event) && isPage(event);
    const found = entries.find(
      (entry) =>
        entry.run &&
        entry.run !== "optionKey" &&
        entry.key === pressed &&
        Boolean(entry.ctrl) === ctrl &&
        (entry.shift === undefined || entry.shift === event.shiftKey) &&
        (!reads || entry.run === "nudge"),
    );
    const character = !ctrl && /^[0-9a-z]$/.test(pressed);
    if (event.repeat && !/^(Arrow|[+=-])/.test(pressed) && (found || character)) {
      event.stopPropagation();
      return;
    }
    // The protocol knows best what its keys mean now, typed ahead of the page as well.
    const run = found?.run ?? (reads && entries.some((e) => e.run === "readOn") ? "readOn" : null);
    const taken = run
      ? takes(run, event, pressed)
      : character && takes("optionKey", event, pressed);
    if (taken) event.preventDefault();
    // Streamlit has shortcuts on letters, which nobody means here.
    if (taken || character) event.stopPropagation();
  });
}
