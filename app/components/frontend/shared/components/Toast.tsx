import { type ReadonlySignal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

const SHOWN_MS = 4500;

export interface ToastMessage {
  text: string;
  /** buttons after the text */
  actions?: ComponentChildren;
}

/** The short message at the bottom of a screen, and when it goes away. */
export class Toasts {
  private readonly shown = signal<ToastMessage | null>(null);
  private timer = 0;

  get current(): ReadonlySignal<ToastMessage | null> {
    return this.shown;
  }

  /** Show a message instead of the one before. */
  show(message: ToastMessage, shownMs = SHOWN_MS) {
    window.clearTimeout(this.timer);
    this.shown.value = message;
    this.timer = window.setTimeout(() => {
      this.shown.value = null;
    }, shownMs);
  }
}

/** A live region: screen readers read the message out. */
export function ToastRegion({ toasts, testid = "toasts" }: { toasts: Toasts; testid?: string }) {
  const message = toasts.current.value;
  return (
    <div class="toasts stack" role="status" data-testid={testid}>
      {message ? (
        <div class="toast line" data-testid="toast">
          {message.text}
          {message.actions}
        </div>
      ) : null}
    </div>
  );
}
