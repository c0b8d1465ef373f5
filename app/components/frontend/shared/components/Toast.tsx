import { type ReadonlySignal, signal } from "@preact/signals";
import { Button } from "./Button";

const SHOWN_MS = 4500;

export interface ToastMessage {
  text: string;
  /** buttons after the text */
  actions?: ToastAction[];
}

export interface ToastAction {
  label: string;
  testid?: string;
  run: () => void;
}

/** The short message at the bottom of a screen, and when it goes away. */
export class Toasts {
  private readonly shown = signal<(ToastMessage & { id: number }) | null>(null);
  private timer = 0;
  private count = 0;

  get current(): ReadonlySignal<(ToastMessage & { id: number }) | null> {
    return this.shown;
  }

  /** Show a message instead of the one before. */
  show(message: ToastMessage, shownMs = SHOWN_MS) {
    window.clearTimeout(this.timer);
    this.count += 1;
    this.shown.value = { ...message, id: this.count };
    this.timer = window.setTimeout(() => this.hide(), shownMs);
  }

  hide() {
    this.shown.value = null;
  }
}

/** A live region: screen readers read the message out. */
export function ToastRegion({ toasts, testid = "toasts" }: { toasts: Toasts; testid?: string }) {
  const message = toasts.current.value;
  return (
    <div class="toasts stack" role="status" data-testid={testid}>
      {message ? (
        <div key={message.id} class="toast line" data-testid="toast">
          {message.text}
          {message.actions?.map(({ label, testid, run }) => (
            <Button key={label} testid={testid} onClick={run}>
              {label}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
