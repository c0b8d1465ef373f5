/** The keys of the review. One listener on the window, as in the workspace: Streamlit keeps C and R. */

import { isTyping } from "../shared/dom.js";

const MAP = [
  { group: "Deciding", key: "n", run: "nextConflict", does: "Next part that differs" },
  { group: "Deciding", shown: ["1", "2", "3", "…"], does: "Take that person’s in the part" },
  { group: "Deciding", shown: ["Shift", "1"], does: "Take that person’s in all parts" },
  { group: "Deciding", key: "m", run: "merge", does: "Put the part together in the next way" },
  { group: "Deciding", key: "u", run: "asProposed", does: "The part as proposed again" },
  { group: "Deciding", key: "r", run: "reason", does: "Write a reason" },
  {
    group: "Deciding",
    key: "Enter",
    ctrl: true,
    shown: ["Ctrl", "Enter"],
    run: "accept",
    does: "Accept as gold, or confirm",
  },
  { group: "Deciding", key: "e", run: "edit", does: "Keep the draft and edit it in the workspace" },
  { group: "Deciding", key: "b", run: "sendBack", does: "Send back to an annotator" },
  { group: "Task", key: "t", run: "take", does: "Take the task, or put it back" },
  {
    group: "Task",
    key: "ArrowRight",
    ctrl: true,
    shown: ["Ctrl", "←", "→"],
    run: "nextTask",
    does: "Previous, next task",
  },
  { group: "Task", key: "ArrowLeft", ctrl: true, run: "previousTask" },
  { group: "Task", key: "i", run: "guidelines", does: "Guidelines" },
  { group: "Task", key: "?", run: "help", does: "Keys" },
  {
    group: "Page",
    key: "ArrowRight",
    shown: ["←", "→"],
    run: "nextPage",
    does: "Previous, next page",
  },
  { group: "Page", key: "ArrowLeft", run: "previousPage" },
  { group: "Page", key: "+", shown: ["+", "−"], run: "zoomIn", does: "Zoom in, out" },
  { group: "Page", key: "=", run: "zoomIn" },
  { group: "Page", key: "-", run: "zoomOut" },
  { group: "Page", key: "0", run: "fit", does: "Page width, or whole page" },
  { group: "Page", key: "w", run: "wide", does: "A wider page" },
  { group: "Page", key: "h", run: "hideBoxes", does: "Hide or show the boxes" },
  {
    group: "Task",
    key: "Escape",
    shown: ["Esc"],
    run: "escape",
    does: "Leave a field, close a message",
  },
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
 * What a key asks for.
 * @param {{key: string, code?: string, ctrl: boolean, shift: boolean, alt: boolean}} pressed
 * @returns {{run: string | undefined, number?: number}|null}
 */
export function meaning({ key, code = "", ctrl, shift, alt }) {
  if (alt) return null;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? (/^[1-9]$/.test(key) ? key : null);
  if (digit && !ctrl) return { run: shift ? "takeAll" : "takeSide", number: Number(digit) };
  const name = key.length === 1 ? key.toLowerCase() : key;
  const found = MAP.find(
    (entry) => entry.run && entry.key === name && Boolean(entry.ctrl) === ctrl,
  );
  return found ? { run: found.run } : null;
}

/**
 * Listen.
 * @param {Object} options
 * @param {(run: string, number?: number) => boolean|void} options.act false leaves the key alone
 * @param {() => boolean} options.blocked while a dialog is open
 * @param {Element|ShadowRoot} options.root
 * @returns {() => void} stop listening
 */
export function listenKeys({ act, blocked, root }) {
  const onKey = (/** @type {any} */ event) => {
    if (event.isComposing || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    if (isTyping(event) && event.key !== "Escape" && !(ctrl && event.key === "Enter")) return;
    const target = event.composedPath()[0];
    const inside = target instanceof Node && root.contains(target);
    if (!inside && isTyping(event)) return;
    const arrows = event.key.startsWith("Arrow") && !ctrl;
    if (arrows && target instanceof Element && target.closest("input, select, [role=slider]"))
      return;
    const found = meaning({
      key: event.key,
      code: event.code,
      ctrl,
      shift: event.shiftKey,
      alt: event.altKey,
    });
    if (!found || (event.repeat && !arrows) || act(found.run ?? "", found.number) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const keep = (/** @type {any} */ event) => event.stopPropagation();
  window.addEventListener("keydown", onKey, { capture: true });
  for (const type of ["keydown", "keyup", "keypress"]) root.addEventListener(type, keep);
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    for (const type of ["keydown", "keyup", "keypress"]) root.removeEventListener(type, keep);
  };
}
