/** The keys of the review. */

import { isTyping } from "../shared/dom";
import { digitOf, isPressOf, keyOf, listenOnWindow } from "../shared/keys";

/** A command, with the number of the person that a digit means. */
export interface Meaning {
  command: Pt.ReviewCommand | "takeFrom" | "takeAll";
  number?: number;
  binding?: Pt.ScreenKey;
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
  const digit =
    /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? (/^[1-9]$/.test(pressed) ? pressed : null);
  if (digit && !ctrl && !alt)
    return { command: shift ? "takeAll" : "takeFrom", number: Number(digit) };
  const bindingOf = (name: string) =>
    keys.find((key) => key.command && isPressOf(key, { key: name, ctrl, alt, shift }));
  const binding =
    bindingOf(pressed.length === 1 ? pressed.toLowerCase() : pressed) ??
    bindingOf(keyOf({ key: pressed, code })) ??
    bindingOf((!ctrl && !alt && digitOf({ key: pressed, code, shiftKey: shift })) || "");
  return binding ? { command: binding.command as Pt.ReviewCommand, binding } : null;
}

/** Commands that work in a text, too. */
const WHILE_TYPING = new Set(["accept", "escape"]);

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
    const { key: name, code, shiftKey: shift, altKey: alt } = event;
    const found = meaning(keys, { key: name, code, ctrl, shift, alt });
    if (!found || (isTyping(event) && !WHILE_TYPING.has(found.command))) return;
    const target = event.composedPath()[0];
    const inside = target instanceof Node && root.contains(target);
    if (!inside && isTyping(event)) return;
    const arrows = event.key.startsWith("Arrow") && !ctrl;
    if (arrows && target instanceof Element && target.closest("input, select, [role=slider]"))
      return;
    const isRepeatable = found.binding?.standard.key.startsWith("Arrow") && !ctrl;
    if ((event.repeat && !isRepeatable) || act(found) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
