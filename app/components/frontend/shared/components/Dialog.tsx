import { type ComponentChild, type ComponentChildren, type RefObject, render } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../messages";
import { Button, type ButtonProps, IconButton } from "./Button";

export interface DialogProps {
  title: string;
  testid: string;
  children: ComponentChildren;
  /** buttons, the main one last */
  actions?: ComponentChildren;
  wide?: boolean;
  /** where it is, next to what it is about: that stays visible, and a click there closes nothing */
  at?: { top: number; left: number };
  /** gets the focus; the main action otherwise */
  focus?: RefObject<HTMLElement | null>;
  /**
   * The main action cannot be undone: the focus is on the first one, and Ctrl+Enter does nothing.
   */
  final?: boolean;
  /** Enter, or the main button */
  onSubmit?: () => void;
  onKey?: (event: KeyboardEvent) => void;
  /** Esc, the cross or a click outside; stop rendering the dialog */
  onClose: () => void;
}

/**
 * A modal dialog on the browser's own <dialog>. It is open while it is rendered; afterwards the
 * focus is where it was before.
 */
export function Dialog(props: DialogProps) {
  const { title, testid, children, actions, wide, at, focus, final = false } = props;
  const { onSubmit, onClose } = props;
  const heading = useId();
  const contents = useId();
  const element = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLElement>(null);
  const isPressedOutside = useRef(false);

  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = (dialog.getRootNode() as ShadowRoot).activeElement as HTMLElement | null;
    dialog.showModal();
    const buttons = foot.current?.children;
    const button = final ? buttons?.[0] : buttons?.[buttons.length - 1];
    (focus?.current ?? (button as HTMLElement | undefined) ?? body.current)?.focus();
    return () => {
      dialog.close();
      if (before?.isConnected && !before.matches(":disabled")) before.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    props.onKey?.(event);
    if (event.key !== "Enter") return;
    const ctrl = event.ctrlKey || event.metaKey;
    const isWriting = event.target instanceof HTMLTextAreaElement;
    // Enter held down since before the dialog opened presses none of its buttons.
    if (event.repeat && (ctrl || !isWriting)) event.preventDefault();
    else if (ctrl && onSubmit) {
      event.preventDefault(); // Enter alone is a new line in a text box
      if (!final) onSubmit();
    }
  };

  return (
    <dialog
      ref={element}
      class={at ? "dialog placed" : wide ? "dialog wide" : "dialog"}
      style={at && { top: `${at.top}px`, left: `${at.left}px` }}
      aria-labelledby={heading}
      aria-describedby={at && contents}
      data-testid={testid}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // On the backdrop from press to release: not the end of a selection started inside, and not
      // the second half of a double click on the button that opened the dialog.
      onPointerDown={(event) => {
        isPressedOutside.current = !at && event.target === element.current;
      }}
      onClick={(event) => {
        if (event.target === element.current && isPressedOutside.current && event.detail === 1)
          onClose();
      }}
    >
      <form
        method="dialog"
        class="dialog-form column"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header class="dialog-head line spread">
          <h2 id={heading}>{title}</h2>
          <IconButton
            icon="close"
            label={t("Close")}
            title={t("Close (Esc)")}
            testid={`${testid}-close`}
            onClick={() => onClose()}
          />
        </header>
        <div ref={body} id={contents} class="dialog-body column" tabIndex={actions ? -1 : 0}>
          {children}
        </div>
        {actions ? (
          <footer ref={foot} class="dialog-foot line">
            {actions}
          </footer>
        ) : null}
      </form>
    </dialog>
  );
}

/** A dialog's button; Enter presses the main one. */
export function DialogButton({ main = false, ...props }: ButtonProps & { main?: boolean }) {
  const name = main ? "button primary" : "button";
  return <Button type={main ? "submit" : "button"} class={name} {...props} />;
}

/**
 * Show a dialog from code that is no component.
 * @param host where it is put
 * @param dialog the dialog; calling `close` takes it away
 * @returns what `close` was called with
 */
export function openDialog<Result>(
  host: Element,
  dialog: (close: (result?: Result) => void) => ComponentChild,
): Promise<Result | undefined> {
  const place = document.createElement("div");
  host.append(place);
  return new Promise((resolve) => {
    const close = (result?: Result) => {
      render(null, place);
      place.remove();
      resolve(result);
    };
    render(dialog(close), place);
  });
}
