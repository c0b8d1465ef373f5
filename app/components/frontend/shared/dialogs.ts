/** Modal dialogs on the browser's own <dialog>: focus trap, Esc and return of focus included. */

import { h } from "./dom";
import { icon } from "./icons";
import { t } from "./messages";

export interface OpenDialog {
  element: HTMLDialogElement;
  close: (result?: any) => void;
  /** resolves with close()'s argument */
  closed: Promise<any>;
}

/**
 * Open a dialog.
 * @param host where it is put
 */
export function openDialog(
  host: Element,
  {
    title,
    testid,
    body,
    actions = [],
    wide,
    focus,
    final,
    onSubmit,
  }: {
    title: string;
    testid: string;
    body: Node[];
    /** buttons, the main one last */
    actions?: Node[];
    wide?: boolean;
    /** gets the focus; the main action otherwise */
    focus?: Element;
    /** the main action cannot be undone: the focus is on the first one, and Ctrl+Enter does nothing */
    final?: boolean;
    /** Enter, or the main button of type "submit" */
    onSubmit?: () => void;
  },
): OpenDialog {
  const heading = `pt-${testid}-title`;
  const close = h(
    "button",
    {
      class: "icon-button",
      "aria-label": t("Close"),
      title: t("Close (Esc)"),
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
  let settle: (result?: any) => void;
  const closed = new Promise((resolve) => {
    settle = resolve;
  });
  const before = element.ownerDocument.activeElement?.shadowRoot?.activeElement ?? null;
  let result: any;
  const handle = {
    element,
    closed,
    close(value?: any) {
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
    if (before?.isConnected && !before.matches(":disabled")) (before as HTMLElement).focus();
    settle(result);
  });
  host.append(element);
  element.showModal();
  (
    (focus ??
      (final ? actions[0] : actions.at(-1)) ??
      form.querySelector(".dialog-body")) as HTMLElement
  ).focus();
  return handle;
}
