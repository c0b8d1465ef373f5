/** The workspace's keys. */

import { isTyping } from "../shared/dom.js";
import * as keys from "../shared/keys.js";

const { key } = keys;
const boxes = { when: "boxes" };
/**
 * Entries are tried in order: an action that is not registered, or that returns false, leaves the
 * key to the next entry. `when` says in whose help an entry is shown: with search, with boxes, …
 */
const MAP = [
  key("Search", "/", "focusSearch", "Search", { when: "search" }),
  key("Search", "Enter", null, "Run the search, open the result", { when: "search" }),
  key("Search", "ArrowDown", "nudge"),
  key("Search", "ArrowUp", "nudge"),
  key("Search", "ArrowDown", "nextResult", "Next, previous result", {
    shown: ["↓", "↑"],
    when: "search",
  }),
  key("Search", "ArrowUp", "previousResult"),
  key("Fields", "m", "nextUnfinished", "Next page with something missing", { when: "pageFields" }),
  key("Boxes", "b", "toolBox", "Draw boxes", boxes),
  key("Boxes", "t", "toolText", "Select text for a box", boxes),
  key("Boxes", "v", "acceptElement", "Accept the selected element, go to the next one to check", {
    when: "elements",
  }),
  key("Boxes", "j", "nextElement", "Next, previous box", { ...boxes, shown: ["j", "k"] }),
  key("Boxes", "k", "previousElement"),
  key("Fields", "j", "nextRow", "Next row without a decision", { when: "records" }),
  key("Boxes", "", null, "Move the selected box; with Shift by 10", {
    ...boxes,
    shown: ["←", "↑", "→", "↓"],
  }),
  key("Boxes", "Tab", "tabBox"),
  key("Boxes", "Enter", "placeBox", "In box mode: put a box on the page", boxes),
  key("Boxes", "Delete", "deleteBox", "Delete the selected box", { ...boxes, shown: ["Del"] }),
  key("Boxes", "Backspace", "deleteBox"),
  key("Boxes", "d", "duplicateBox", "Duplicate the selected box", {
    ...boxes,
    ctrl: true,
    shown: ["Ctrl", "D"],
  }),
  key("Boxes", "z", "undo", "Undo", { ...boxes, ctrl: true, shift: false, shown: ["Ctrl", "Z"] }),
  key("Boxes", "z", "redo", "Redo", {
    ...boxes,
    ctrl: true,
    shift: true,
    shown: ["Ctrl", "Shift", "Z"],
  }),
  key("Boxes", "y", "redo", undefined, { ctrl: true }),
  key("Boxes", "h", "hideBoxes", "Hide or show the boxes", boxes),
  key("Page", "ArrowRight", "nudge"),
  key("Page", "ArrowLeft", "nudge"),
  key("Page", "ArrowRight", "nextPage", "Previous, next page", { shown: ["←", "→"] }),
  key("Page", "ArrowLeft", "previousPage"),
  key("Page", "Home", "firstPage", "First, last page", { shown: ["Home", "End"] }),
  key("Page", "End", "lastPage"),
  key("Page", "g", "goToPage", "Go to a page by number"),
  key("Page", "c", "cite", "Add or remove as citation", { when: "evidence" }),
  key("Page", "+", "zoomIn", "Zoom in, out", { shown: ["+", "−"] }),
  key("Page", "=", "zoomIn"),
  key("Page", "-", "zoomOut"),
  key("Page", "0", "fitWidth", "Fit width"),
  key("Answer", "a", "focusAnswer", "Answer", { when: "answer" }),
  key("Answer", "Enter", "submit", "Submit", { ctrl: true, shown: ["Ctrl", "Enter"] }),
  key("Answer", "f", "flag", "Flag"),
  key("Answer", "s", "skip", "Skip"),
  key("Task", "ArrowRight", "nextTask", "Previous, next task", {
    ctrl: true,
    shown: ["Ctrl", "←", "→"],
  }),
  key("Task", "ArrowLeft", "previousTask", undefined, { ctrl: true }),
  key("Task", "p", "pause", "Pause, resume", { when: "pause" }),
  key("Task", "i", "guidelines", "Guidelines"),
  key("Task", "?", "help", "Keys"),
  key("Task", "Escape", "leaveBox"),
  key("Task", "Escape", "escape", "Leave a field, a box or a tool, close a dialog", {
    shown: ["Esc"],
  }),
];

/**
 * What of the keys a protocol has use for.
 * @param {Pt.Protocol} protocol
 * @returns {Record<string, boolean>}
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
 * @param {Record<string, string|null>} labelKeys key by label
 */
export function keyGroups(protocol, labelKeys) {
  const used = uses(protocol);
  const labels = Object.entries(protocol.boxes.enabled ? labelKeys : {}).map(([label, name]) =>
    key("Boxes", name ?? "", null, name ? `Label: ${label}` : undefined),
  );
  const options = protocol.fields.flatMap((spec) =>
    spec.options.map((option) =>
      key(
        "Fields",
        option.key ?? "",
        null,
        option.key ? `${spec.label}: ${option.label}` : undefined,
      ),
    ),
  );
  const map = MAP.filter(({ when }) => !when || used[when]);
  return keys.keyGroups([...map, ...labels, ...options]);
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

/** Whether the key scrolls the focused page when it is not wanted for a box. @param {any} event */
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
    const matches = MAP.filter(
      (entry) =>
        entry.run &&
        entry.key === pressed &&
        Boolean(entry.ctrl) === ctrl &&
        (entry.shift === undefined || entry.shift === event.shiftKey) &&
        (entry.run === "nudge" || !scrolls(event)),
    );
    const digit = !ctrl && /^[0-9]$/.test(pressed);
    const letter = !ctrl && /^[a-z]$/.test(pressed);
    if (event.repeat && !/^(Arrow|[+=-])/.test(pressed) && (matches.length || digit || letter)) {
      event.stopPropagation();
      return;
    }
    const taken =
      (digit && takes("optionKey", event, pressed)) ||
      matches.some((entry) => takes(entry.run ?? "", event, pressed)) ||
      (letter && takes("optionKey", event, pressed));
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
