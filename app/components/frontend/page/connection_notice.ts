/**
 * Says why a screen stays empty. Streamlit draws screens over a web socket, and its own dialog is off
 * because the task's screen works on without one.
 */

/** How long a screen may be without a web socket before the person is told. */
export const PATIENCE_MS = 4_000;

/** What the server says when it is asked over plain HTTP. */
export type Answer =
  | { kind: "reached" }
  | { kind: "refused"; message: string }
  | { kind: "signed-out" }
  | { kind: "unreachable" };

export interface NoticeParts {
  /** asks the server over plain HTTP, which also notes the blocked web socket in its log */
  ask: () => Promise<Answer>;
  /** shows a sentence, or none */
  show: (sentence: string | null) => void;
  /** leads to the sign-in page */
  signIn: () => void;
  /** calls back later; returns what to cancel it with */
  later: (call: () => void, ms: number) => () => void;
  /** whether the screen says itself that there is no connection */
  speaksForItself: () => boolean;
  sentences: { blocked: string; unreachable: string };
}

/** Follows the page's web sockets, and shows a notice while none is open. */
export class ConnectionNotice {
  private open = 0;
  private cancel: (() => void) | null = null;

  constructor(private readonly parts: NoticeParts) {
    this.wait(PATIENCE_MS);
  }

  opened() {
    this.open += 1;
    this.cancel?.();
    this.cancel = null;
    this.parts.show(null);
  }

  /** A web socket was closed, or could not be opened. */
  closed(wasOpen: boolean) {
    if (wasOpen) this.open -= 1;
    if (this.open > 0) return;
    if (!wasOpen) void this.leaveIfSignedOut();
    if (!this.cancel) this.wait(PATIENCE_MS);
  }

  private wait(ms: number) {
    this.cancel = this.parts.later(() => void this.look(), ms);
  }

  private async look() {
    const answer = await this.parts.ask();
    if (this.open > 0) return;
    this.leave(answer);
    this.parts.show(this.sentence(answer));
    this.wait(PATIENCE_MS);
  }

  /** A refused web socket on a page from before signing out: there is nothing to wait for. */
  private async leaveIfSignedOut() {
    this.leave(await this.parts.ask());
  }

  private leave({ kind }: Answer) {
    if (kind === "signed-out" && this.open === 0) {
      this.parts.signIn();
    }
  }

  private sentence(answer: Answer): string | null {
    switch (answer.kind) {
      case "refused":
        return answer.message;
      case "reached":
        return this.parts.sentences.blocked;
      case "unreachable":
        return this.parts.speaksForItself() ? null : this.parts.sentences.unreachable;
      case "signed-out":
        return null;
    }
  }
}

/** The answer to a request that reports a blocked web socket. */
export async function answerOf(request: Promise<Response>): Promise<Answer> {
  try {
    const response = await request;
    if (response.ok) return { kind: "reached" };
    if (response.status === 401) return { kind: "signed-out" };
    const body = await response.json();
    return { kind: "refused", message: String(body.error.message) };
  } catch {
    return { kind: "unreachable" };
  }
}

/** Streamlit's web sockets from now on tell the notice of their state. */
export function follow(
  notice: Pick<ConnectionNotice, "opened" | "closed">,
  scope: Window & typeof globalThis,
) {
  scope.WebSocket = class extends scope.WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      if (!new URL(url, scope.location.href).pathname.endsWith("/_stcore/stream")) return;
      let wasOpen = false;
      this.addEventListener("open", () => {
        wasOpen = true;
        notice.opened();
      });
      this.addEventListener("close", () => notice.closed(wasOpen));
    }
  };
}
