/**
 * The workspace's keys. Streamlit reserves C and R for itself, hence one listener on the window in
 * the capture phase, which keeps the keys that it knows from everyone else.
 */

import { isTyping } from "../shared/dom.js";

/**
 * Entries are tried in order: an action that is not registered, or that returns false, leaves the
 * key to the next entry. `when` says in whose help an entry is shown: with search, with boxes, …
 */
const MAP = [
  { group: "Search", key: "/", run: "focusSearch", does: "Search", when: "search" },
  {
    group: "Search",
    key: "Enter",
    run: null,
    does: "Run the search, open the result",
    when: "search",
  },
  { group: "Search", key: "ArrowDown", run: "nudge" },
  { group: "Search", key: "ArrowUp", run: "nudge" },
  {
    group: "Search",
    key: "ArrowDown",
    shown: ["↓", "↑"],
    run: "nextResult",
    does: "Next, previous result",
    when: "search",
  },
  { group: "Search", key: "ArrowUp", run: "previousResult" },
  {
    group: "Fields",
    key: "m",
    run: "nextUnfinished",
    does: "Next page with something missing",
    when: "pageFields",
  },
  { group: "Boxes", key: "b", run: "toolBox", does: "Draw boxes", when: "boxes" },
  { group: "Boxes", key: "t", run: "toolText", does: "Select text for a box", when: "boxes" },
  {
    group: "Boxes",
    key: "v",
    run: "acceptElement",
    does: "Accept the selected element, go to the next one to check",
    when: "elements",
  },
  {
    group: "Boxes",
    key: "j",
    shown: ["j", "k"],
    run: "nextElement",
    does: "Next, previous box",
    when: "boxes",
  },
  { group: "Boxes", key: "k", run: "previousElement" },
  {
    group: "Fields",
    key: "j",
    run: "nextRow",
    does: "Next row without a decision",
    when: "records",
  },
  {
    group: "Boxes",
    key: "Arrows",
    run: null,
    shown: ["←", "↑", "→", "↓"],
    does: "Move the selected box; with Shift by 10",
    when: "boxes",
  },
  { group: "Boxes", key: "Tab", run: "tabBox" },
  {
    group: "Boxes",
    key: "Enter",
    run: "placeBox",
    does: "In box mode: put a box on the page",
    when: "boxes",
  },
  {
    group: "Boxes",
    key: "Delete",
    shown: ["Del"],
    run: "deleteBox",
    does: "Delete the selected box",
    when: "boxes",
  },
  { group: "Boxes", key: "Backspace", run: "deleteBox" },
  {
    group: "Boxes",
    key: "d",
    ctrl: true,
    shown: ["Ctrl", "D"],
    run: "duplicateBox",
    does: "Duplicate the selected box",
    when: "boxes",
  },
  {
    group: "Boxes",
    key: "z",
    ctrl: true,
    shift: false,
    shown: ["Ctrl", "Z"],
    run: "undo",
    does: "Undo",
    when: "boxes",
  },
  {
    group: "Boxes",
    key: "z",
    ctrl: true,
    shift: true,
    shown: ["Ctrl", "Shift", "Z"],
    run: "redo",
    does: "Redo",
    when: "boxes",
  },
  { group: "Boxes", key: "y", ctrl: true, run: "redo" },
  { group: "Boxes", key: "h", run: "hideBoxes", does: "Hide or show the boxes", when: "boxes" },
  { group: "Page", key: "ArrowRight", run: "nudge" },
  { group: "Page", key: "ArrowLeft", run: "nudge" },
  {
    group: "Page",
    key: "ArrowRight",
    shown: ["←", "→"],
    run: "nextPage",
    does: "Previous, next page",
  },
  { group: "Page", key: "ArrowLeft", run: "previousPage" },
  {
    group: "Page",
    key: "Home",
    shown: ["Home", "End"],
    run: "firstPage",
    does: "First, last page",
  },
  { group: "Page", key: "End", run: "lastPage" },
  { group: "Page", key: "g", run: "goToPage", does: "Go to a page by number" },
  { group: "Page", key: "c", run: "cite", does: "Add or remove as citation", when: "evidence" },
  { group: "Page", key: "+", shown: ["+", "−"], run: "zoomIn", does: "Zoom in, out" },
  { group: "Page", key: "=", run: "zoomIn" },
  { group: "Page", key: "-", run: "zoomOut" },
  { group: "Page", key: "0", run: "fitWidth", does: "Fit width" },
  { group: "Answer", key: "a", run: "focusAnswer", does: "Answer", when: "answer" },
  {
    group: "Answer",
    key: "Enter",
    ctrl: true,
    shown: ["Ctrl", "Enter"],
    run: "submit",
    does: "Submit",
  },
  { group: "Answer", key: "f", run: "flag", does: "Flag" },
  { group: "Answer", key: "s", run: "skip", does: "Skip" },
  {
    group: "Task",
    key: "ArrowRight",
    ctrl: true,
    shown: ["Ctrl", "←", "→"],
    run: "nextTask",
    does: "Previous, next task",
  },
  { group: "Task", key: "ArrowLeft", ctrl: true, run: "previousTask" },
  { group: "Task", key: "p", run: "pause", does: "Pause, resume", when: "pause" },
  { group: "Task", key: "i", run: "guidelines", does: "Guidelines" },
  { group: "Task", key: "?", run: "help", does: "Keys" },
  { group: "Task", key: "Escape", run: "leaveBox" },
  {
    group: "Task",
    key: "Escape",
    shown: ["Esc"],
    run: "escape",
    does: "Leave a field, a box or a tool, close a dialog",
  },
];

/**
 * What of the keys a protocol has use for.
 * @param {Pt.Protocol} protocol
 */
function uses(protocol) {
  const { search, boxes, evidence, answer, clock, fields } = protocol;
  return {
    search: search.enabled,
    boxes: boxes.enabled,
    elements: boxes.enabled && boxes.seed,
    evidence: evidence.enabled,
    answer: answer.kind !== "off",
    pause: clock.pause,
    pageFields: fields.some((spec) => spec.scope === "page"),
    records: fields.some((spec) => spec.kind === "records"),
  };
}

/**
 * The keys by group, for the help.
 * @param {Pt.Protocol} protocol
 * @param {Record<string, string|null>} labelKeys key by box label
 */
export function keyGroups(protocol, labelKeys) {
  /** @type {Record<string, any>} */
  const used = uses(protocol);
  const groups = new Map();
  const add = (/** @type {string} */ title, /** @type {any} */ entry) => {
    if (!groups.has(title)) groups.set(title, { title, keys: [] });
    groups.get(title).keys.push(entry);
  };
  for (const { group, key, shown, does, when } of MAP) {
    if (does && (!when || used[when])) add(group, { shown: shown ?? [key], does });
  }
  for (const [label, key] of Object.entries(protocol.boxes.enabled ? labelKeys : {})) {
    if (key) add("Boxes", { shown: [key], does: `Label: ${label}` });
  }
  for (const spec of protocol.fields) {
    for (const { key, label } of spec.options) {
      if (key) add("Fields", { shown: [key], does: `${spec.label}: ${label}` });
    }
  }
  return [...groups.values()];
}

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
  if (target.matches("input[type=radio], input[type=checkbox], input[type=range]")) {
    return event.key.startsWith("Arrow");
  }
  return isUpOrDown(event) && Boolean(target.closest("[role=radiogroup]"));
}

/** @param {{ key: string }} given */
const isUpOrDown = ({ key }) => key === "ArrowUp" || key === "ArrowDown";

/**
 * Whether the key scrolls the focused page when it is not wanted for a box.
 * @param {any} event
 */
function scrolls(event) {
  const target = event.composedPath()[0];
  return isUpOrDown(event) && target instanceof Element && target.matches(".pane");
}

/**
 * Listen for keys.
 * @param {Object} options
 * @param {(name: string) => (...args: any[]) => any|null} options.action by the names in the map and
 *   "optionKey"; an action that returns false leaves the key alone
 * @param {() => boolean} options.blocked true while a dialog is open
 * @param {(event: Event) => boolean} options.foreign whether the event comes from a field outside
 * @param {Element|ShadowRoot} options.root
 * @returns {() => void} stop listening
 */
export function listenKeys({ action, blocked, foreign, root }) {
  const takes = (/** @type {string} */ name, /** @type {any} */ event, /** @type {any} */ key) => {
    const run = action(name);
    return run !== null && run(event, key) !== false;
  };
  const onKey = (/** @type {any} */ event) => {
    if (event.isComposing || event.altKey || foreign(event) || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // In a text Ctrl with letters and arrows is the text's own.
    if (isTyping(event) && !(ctrl && key === "Enter") && key !== "Escape") return;
    if (belongsToControl(event)) return;
    const matches = MAP.filter(
      (entry) =>
        entry.run &&
        entry.key === key &&
        Boolean(entry.ctrl) === ctrl &&
        (entry.shift === undefined || entry.shift === event.shiftKey) &&
        (entry.run === "nudge" || !scrolls(event)),
    );
    const digit = !ctrl && /^[0-9]$/.test(key);
    const letter = !ctrl && /^[a-z]$/.test(key);
    if (event.repeat && !/^(Arrow|[+=-])/.test(key) && (matches.length || digit || letter)) {
      event.stopPropagation();
      return;
    }
    const taken =
      (digit && takes("optionKey", event, key)) ||
      matches.some((entry) => takes(entry.run ?? "", event, key)) ||
      (letter && takes("optionKey", event, key));
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Typed text must not reach the shortcuts of the page around us.
  const keep = (/** @type {any} */ event) => event.stopPropagation();
  window.addEventListener("keydown", onKey, { capture: true });
  for (const type of ["keydown", "keyup", "keypress"]) root.addEventListener(type, keep);
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    for (const type of ["keydown", "keyup", "keypress"]) root.removeEventListener(type, keep);
  };
}
