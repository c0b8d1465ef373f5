/** The keys of the review. */

import { isTyping } from "../shared/dom";
import { listenOnWindow } from "../shared/keys";

/** A command, with the number of the person that a digit means. */
export interface Meaning {
  command: Pt.ReviewCommand | "takeFrom" | "takeAll";
  number?: number;
}

/** What a key asks for. */
export function meaning(
  keys: Pt.ScreenKey[],
  {
    key: pressed,
    code = "",
    ctrl,
    shift,
    alt,
  }: { key: string; code?: string; ctrl: boolean; shift: boolean; alt: boolean },
): Meaning | null {
  if (alt) return null;
  const digit =
    /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? (/^[1-9]$/.test(pressed) ? pressed : null);
  if (digit && !ctrl) return { command: shift ? "takeAll" : "takeFrom", number: Number(digit) };
  const name = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  const command = keys.find((key) => key.key === name && key.ctrl === ctrl)?.command;
  return command ? { command: command as Pt.ReviewCommand } : null;
}

/**
 * Listen.
 * @returns stop listening
 */
export function listenKeys({
  keys,
  act,
  blocked,
  root,
}: {
  keys: Pt.ScreenKey[];
  /** false leaves the key alone */
  act: (meaning: Meaning) => unknown;
  /** while a dialog is open */
  blocked: () => boolean;
  root: Element | ShadowRoot;
}): () => void {
  return listenOnWindow(root, (event) => {
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
    const found = meaning(keys, { key: name, code, ctrl, shift, alt });
    if (!found || (event.repeat && !arrows) || act(found) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
