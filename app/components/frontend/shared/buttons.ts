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

/** The line under a field that says what is wrong. */
export const errorLine = (testid: string | null, props: Props = {}) =>
  h("p", { class: "field-error", role: "alert", ...(testid ? { testid } : {}), ...props });
