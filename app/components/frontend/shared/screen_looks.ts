/** The readiness of a screen: by which press it is asked, and when the screen is covered. */

import { afterPaint } from "./page/after_paint";
import { type LookClock, Readiness } from "./readiness";

const SCREEN_CLOCK: LookClock = {
  now: () => performance.now(),
  afterPaint,
  after: (ms, run) => {
    const timer = window.setTimeout(run, ms);
    return () => window.clearTimeout(timer);
  },
};

export class ScreenLooks extends Readiness {
  /** whether the last press was of a key */
  protected isByKey = false;

  constructor(
    private readonly dialogs: () => Element,
    onDropped: (hint: string) => void,
    clock = SCREEN_CLOCK,
  ) {
    super(clock, onDropped);
  }

  /** Listen to presses, dialogs and the tab's visibility, before anything else does. */
  listen(signal: AbortSignal) {
    const note = (event: Event) => {
      this.isByKey = event.type === "keydown";
      if (event.type !== "pointerdown") this.press(event.timeStamp);
    };
    for (const type of ["keydown", "pointerdown", "click"])
      window.addEventListener(type, note, { capture: true, signal });
    document.addEventListener("visibilitychange", () => this.noteCover(), { signal });
    const dialogs = new MutationObserver(() => this.noteCover());
    dialogs.observe(this.dialogs(), { subtree: true, childList: true, attributeFilter: ["open"] });
    signal.addEventListener("abort", () => dialogs.disconnect());
    this.noteCover();
  }

  protected noteCover() {
    const isAsked = this.dialogs().querySelector("dialog[open]") !== null;
    this.setCovered(document.hidden || isAsked || this.isClosed());
  }

  /** Whether nothing can be judged, for another reason. */
  protected isClosed() {
    return false;
  }
}
