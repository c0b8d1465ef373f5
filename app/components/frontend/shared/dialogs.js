/** Modal dialogs on the browser's own <dialog>: focus trap, Esc and return of focus included. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @typedef {Object} OpenDialog
 * @property {HTMLDialogElement} element
 * @property {(result?: any) => void} close
 * @property {Promise<any>} closed resolves with close()'s argument
 */

/**
 * Open a dialog.
 * @param {Element} host where it is put
 * @param {Object} options
 * @param {string} options.title
 * @param {string} options.testid
 * @param {Node[]} options.body
 * @param {Node[]} [options.actions] buttons, the main one last
 * @param {boolean} [options.wide]
 * @param {Element} [options.focus] gets the focus; the main action otherwise
 * @param {boolean} [options.final] the main action cannot be undone: the focus is on the first
 *   one, and Ctrl+Enter does nothing
 * @param {() => void} [options.onSubmit] Enter, or the main button of type "submit"
 * @returns {OpenDialog}
 */
export function openDialog(
  host,
  { title, testid, body, actions = [], wide, focus, final, onSubmit },
) {
  const heading = `pt-${testid}-title`;
  const close = h(
    "button",
    {
      class: "icon-button",
      "aria-label": "Close",
      title: "Close (Esc)",
      testid: `${testid}-close`,
    },
    icon("close"),
  );
  const form = h(
    "form",
    { method: "dialog", class: "dialog-form column" },
    h("header", { class: "dialog-head line spread" }, h("h2", { id: heading, text: title }), close),
    h("div", { class: "dialog-body column", tabindex: actions.length ? "-1" : "0" }, ...body),
    actions.length ? h("footer", { class: "dialog-foot line" }, ...actions) : null,
  );
  const element = h(
    "dialog",
    { class: wide ? "dialog wide" : "dialog", "aria-labelledby": heading, testid },
    form,
  );
  /** @type {(result?: any) => void} */
  let settle;
  const closed = new Promise((resolve) => {
    settle = resolve;
  });
  const before = element.ownerDocument.activeElement?.shadowRoot?.activeElement ?? null;
  /** @type {any} */
  let result;
  const handle = {
    element,
    closed,
    /** @param {any} [value] */
    close(value) {
      result = value;
      element.close();
    },
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit?.();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const ctrl = event.ctrlKey || event.metaKey;
    const writing = event.target instanceof HTMLTextAreaElement;
    // Enter held down since before the dialog opened presses none of its buttons.
    if (event.repeat && (ctrl || !writing)) event.preventDefault();
    else if (ctrl && onSubmit) {
      event.preventDefault(); // Enter alone is a new line in a text box
      if (!final) onSubmit();
    }
  });
  close.addEventListener("click", () => handle.close());
  // On the backdrop from press to release: not the end of a selection started inside, and not the
  // second half of a double click on the button that opened the dialog.
  let outside = false;
  element.addEventListener("pointerdown", (event) => {
    outside = event.target === element;
  });
  element.addEventListener("click", (event) => {
    if (event.target === element && outside && event.detail === 1) handle.close();
  });
  element.addEventListener("close", () => {
    element.remove();
    if (before?.isConnected && !before.matches(":disabled"))
      /** @type {HTMLElement} */ (before).focus();
    settle(result);
  });
  host.append(element);
  element.showModal();
  /** @type {HTMLElement} */ (
    focus ?? (final ? actions[0] : actions.at(-1)) ?? form.querySelector(".dialog-body")
  ).focus();
  return handle;
}

/**
 * A dialog's button.
 * @param {string} text
 * @param {Record<string, any>} [props] `main: true` makes it the one that Enter presses
 * @returns {HTMLButtonElement}
 */
export function dialogButton(text, { main = false, ...props } = {}) {
  return h("button", {
    type: main ? "submit" : "button",
    class: main ? "button primary" : "button",
    text,
    ...props,
  });
}
