/**
 * The workspace's keys. Streamlit reserves C and R for itself, hence one listener on the window in
 * the capture phase, which keeps the keys that it knows from everyone else.
 */

import { isTyping } from "./dom.js";

const MAP = [
  { group: "Search", key: "/", run: "focusSearch", does: "Search" },
  { group: "Search", key: "Enter", run: null, does: "Run the search, open the result" },
  { group: "Search", key: "ArrowDown", shown: ["↓", "↑"], run: "nextResult", does: "Next, previous result" },
  { group: "Search", key: "ArrowUp", run: "previousResult" },
  { group: "Page", key: "ArrowRight", shown: ["←", "→"], run: "nextPage", does: "Previous, next page" },
  { group: "Page", key: "ArrowLeft", run: "previousPage" },
  { group: "Page", key: "Home", shown: ["Home", "End"], run: "firstPage", does: "First, last page" },
  { group: "Page", key: "End", run: "lastPage" },
  { group: "Page", key: "g", run: "goToPage", does: "Go to a page by number" },
  { group: "Page", key: "c", run: "cite", does: "Add or remove as citation" },
  { group: "Page", key: "+", shown: ["+", "−"], run: "zoomIn", does: "Zoom in, out" },
  { group: "Page", key: "=", run: "zoomIn" },
  { group: "Page", key: "-", run: "zoomOut" },
  { group: "Page", key: "0", run: "fitWidth", does: "Fit width" },
  { group: "Answer", key: "a", run: "focusAnswer", does: "Answer" },
  { group: "Answer", key: "Enter", ctrl: true, shown: ["Ctrl", "Enter"], run: "submit", does: "Submit" },
  { group: "Answer", key: "f", run: "flag", does: "Flag" },
  { group: "Answer", key: "s", run: "skip", does: "Skip" },
  { group: "Task", key: "ArrowRight", ctrl: true, shown: ["Ctrl", "←", "→"], run: "nextTask", does: "Previous, next task" },
  { group: "Task", key: "ArrowLeft", ctrl: true, run: "previousTask" },
  { group: "Task", key: "p", run: "pause", does: "Pause, resume" },
  { group: "Task", key: "i", run: "guidelines", does: "Guidelines" },
  { group: "Task", key: "?", run: "help", does: "Keys" },
  { group: "Task", key: "Escape", shown: ["Esc"], run: "escape", does: "Leave a field, close a dialog" },
];

/** The keys by group, for the help. */
export function keyGroups() {
  const groups = new Map();
  for (const { group, key, shown, does } of MAP) {
    if (!does) continue;
    if (!groups.has(group)) groups.set(group, { title: group, keys: [] });
    groups.get(group).keys.push({ shown: shown ?? [key], does });
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
  if (target.matches("input[type=radio], input[type=checkbox], input[type=range]")) {
    return event.key.startsWith("Arrow");
  }
  // A focused page scrolls with the arrow keys up and down.
  return target.matches(".pane") && (event.key === "ArrowUp" || event.key === "ArrowDown");
}

/**
 * Listen for keys.
 * @param {Object} options
 * @param {Object} options.actions by the names in the map; an action that returns false leaves the
 *   key alone
 * @param {() => boolean} options.blocked true while a dialog is open
 * @param {(event: Event) => boolean} options.foreign whether the event comes from a field outside
 * @param {Element|ShadowRoot} options.root
 * @returns {() => void} stop listening
 */
export function listenKeys({ actions, blocked, foreign, root }) {
  const onKey = (event) => {
    if (event.isComposing || event.altKey || foreign(event) || blocked()) return;
    const typing = isTyping(event);
    const ctrl = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const match = MAP.find((entry) => entry.run && entry.key === key && Boolean(entry.ctrl) === ctrl);
    if (!match) return;
    // Ctrl+arrows move by words in a text; everything with Ctrl else works there.
    if (typing && (!ctrl || key.startsWith("Arrow")) && key !== "Escape") return;
    if (belongsToControl(event)) return;
    if (event.repeat && !/^(Arrow|[+=-])/.test(key)) {
      event.stopPropagation();
      return;
    }
    if (actions[match.run](event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Typed text must not reach the shortcuts of the page around us.
  const keep = (event) => event.stopPropagation();
  window.addEventListener("keydown", onKey, { capture: true });
  for (const type of ["keydown", "keyup", "keypress"]) root.addEventListener(type, keep);
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    for (const type of ["keydown", "keyup", "keypress"]) root.removeEventListener(type, keep);
  };
}
