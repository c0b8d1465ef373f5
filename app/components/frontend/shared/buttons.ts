/** Buttons and lines that every screen has. */

import type { Props } from "./dom";
import { h } from "./dom";
import { icon } from "./icons";

export type Click = (event: MouseEvent) => any;

/**
 * A button that shows an icon; its label is read out and shown on hovering.
 * @param name of the icon
 */
export function iconButton(name: string, label: string, click: Click, props: Props = {}) {
  const all = { class: "icon-button", "aria-label": label, title: label, ...props };
  return h("button", { ...all, on: { click } }, icon(name));
}

/** A button with a text. */
export function button(text: string, click: Click, props: Props = {}) {
  return h("button", { class: "button small", text, ...props, on: { click } });
}

/**
 * A button that opens and closes what is below it.
 * @param given `focus` as keepFocus
 */
export function foldButton(
  text: string,
  { open, focus, testid, note }: { open: boolean; focus: string; testid?: string; note?: string },
  toggle: () => void,
) {
  const props = {
    class: "fold line bare",
    "aria-expanded": String(open),
    "data-focus": focus,
    testid,
  };
  return h(
    "button",
    { ...props, on: { click: toggle } },
    icon(open ? "up" : "down"),
    h("span", { text }),
    note === undefined ? null : h("span", { class: "quiet ellipsis", text: note }),
  );
}

/** The line under a field that says what is wrong. */
export const errorLine = (testid: string | null, props: Props = {}) =>
  h("p", { class: "field-error", role: "alert", ...(testid ? { testid } : {}), ...props });

/** Change what an element holds; the focus returns to what bears the same `data-focus`. */
export function keepFocus(element: HTMLElement, change: () => void) {
  const { activeElement } = element.getRootNode() as ShadowRoot;
  const held = (activeElement as HTMLElement | null)?.dataset.focus;
  change();
  const again = held && element.querySelector(`[data-focus="${CSS.escape(held)}"]`);
  if (again) (again as HTMLElement).focus({ preventScroll: true });
}
