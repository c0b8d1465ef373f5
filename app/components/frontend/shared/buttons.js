/** Buttons and lines that every screen has. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** @typedef {(event: MouseEvent) => any} Click */

/**
 * A button that shows an icon; its label is read out and shown on hovering.
 * @param {string} name of the icon
 * @param {string} label
 * @param {Click} click
 * @param {import("./dom.js").Props} [props]
 */
export function iconButton(name, label, click, props = {}) {
  const all = { class: "icon-button", "aria-label": label, title: label, ...props };
  return h("button", { ...all, on: { click } }, icon(name));
}

/**
 * A button with a text.
 * @param {string} text
 * @param {Click} click
 * @param {import("./dom.js").Props} [props]
 */
export function button(text, click, props = {}) {
  return h("button", { class: "button small", text, ...props, on: { click } });
}

/**
 * A button that opens and closes what is below it.
 * @param {string} text
 * @param {{ open: boolean, focus: string, testid?: string, note?: string }} given `focus` as keepFocus
 * @param {() => void} toggle
 */
export function foldButton(text, { open, focus, testid, note }, toggle) {
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

/**
 * The line under a field that says what is wrong.
 * @param {string | null} testid
 * @param {import("./dom.js").Props} [props]
 */
export const errorLine = (testid, props = {}) =>
  h("p", { class: "field-error", role: "alert", ...(testid ? { testid } : {}), ...props });

/**
 * Change what an element holds; the focus returns to what bears the same `data-focus`.
 * @param {HTMLElement} element
 * @param {() => void} change
 */
export function keepFocus(element, change) {
  const { activeElement } = /** @type {ShadowRoot} */ (element.getRootNode());
  const held = /** @type {HTMLElement | null} */ (activeElement)?.dataset.focus;
  change();
  const again = held && element.querySelector(`[data-focus="${CSS.escape(held)}"]`);
  if (again) /** @type {HTMLElement} */ (again).focus({ preventScroll: true });
}
