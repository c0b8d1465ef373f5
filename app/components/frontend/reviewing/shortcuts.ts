/** The keys of the review. */

import { isTyping } from "../shared/dom";
import * as keys from "../shared/keys";

const { key } = keys;
const MAP = [
  key("Deciding", "n", "nextConflict", "Next part that differs"),
  key("Deciding", "", null, "Take that person’s version of the part", {
    shown: ["1", "2", "3", "…"],
  }),
  key("Deciding", "", null, "Take that person’s version of all parts", { shown: ["Shift", "1"] }),
  key("Deciding", "m", "merge", "Combine the part in the next way"),
  key("Deciding", "u", "asProposed", "Reset the part to the proposal"),
  key("Deciding", "a", "editAnswer", "Write the accepted answers"),
  key("Deciding", "d", "dataset", "Show what the dataset says; again: take it"),
  key("Deciding", "r", "reason", "Write a reason"),
  key("Deciding", "Enter", "accept", "Accept as gold, or confirm", {
    ctrl: true,
    shown: ["Ctrl", "Enter"],
  }),
  key("Deciding", "z", "undo", "Undo your last decision", { ctrl: true, shown: ["Ctrl", "Z"] }),
  key("Deciding", "e", "edit", "Keep the draft and edit it in the workspace"),
  key("Deciding", "b", "sendBack", "Send back to an annotator"),
  key("Task", "t", "take", "Take the task, or put it back"),
  key("Task", "ArrowRight", "nextTask", "Previous, next task", {
    ctrl: true,
    shown: ["Ctrl", "←", "→"],
  }),
  key("Task", "ArrowLeft", "previousTask", undefined, { ctrl: true }),
  key("Task", "i", "guidelines", "Guidelines"),
  key("Task", "?", "help", "Keys"),
  key("Page", "ArrowRight", "nextPage", "Previous, next page", { shown: ["←", "→"] }),
  key("Page", "ArrowLeft", "previousPage"),
  key("Page", "+", "zoomIn", "Zoom in, out", { shown: ["+", "−"] }),
  key("Page", "=", "zoomIn"),
  key("Page", "-", "zoomOut"),
  key("Page", "0", "fit", "Page width, or whole page"),
  key("Page", "w", "wide", "Widen or narrow the page"),
  key("Page", "h", "hideBoxes", "Hide or show the boxes"),
  key("Task", "Escape", "escape", "Leave a field, close a dialog", { shown: ["Esc"] }),
];

/** The keys by group, for the help. */
export const keyGroups = () => keys.keyGroups(MAP);

/** What a key asks for. */
export function meaning({
  key: pressed,
  code = "",
  ctrl,
  shift,
  alt,
}: {
  key: string;
  code?: string;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
}): { run: string; number?: number } | null {
  if (alt) return null;
  const digit =
    /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? (/^[1-9]$/.test(pressed) ? pressed : null);
  if (digit && !ctrl) return { run: shift ? "takeAll" : "takeFrom", number: Number(digit) };
  const name = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  const found = MAP.find((entry) => entry.key === name && Boolean(entry.ctrl) === ctrl);
  return found?.run ? { run: found.run } : null;
}

/**
 * Listen.
 * @returns stop listening
 */
export function listenKeys({
  act,
  blocked,
  root,
}: {
  /** false leaves the key alone */
  act: (run: string, number?: number) => unknown;
  /** while a dialog is open */
  blocked: () => boolean;
  root: Element | ShadowRoot;
}): () => void {
  return keys.listenOnWindow(root, (event) => {
    if (event.isComposing || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    if (isTyping(event) && event.key !== "Escape" && !(ctrl && event.key === "Enter")) return;
    const target = event.composedPath()[0];
    const inside = target instanceof Node && root.contains(target);
    if (!inside && isTyping(event)) return;
    const arrows = event.key.startsWith("Arrow") && !ctrl;
    if (arrows && target instanceof Element && target.closest("input, select, [role=slider]"))
      return;
    const { key: name, code, shiftKey: shift, altKey: alt } = event;
    const found = meaning({ key: name, code, ctrl, shift, alt });
    if (!found || (event.repeat && !arrows) || act(found.run, found.number) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
