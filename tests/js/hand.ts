/** A clock that a test moves by hand. */

export const FRAME_MS = 16;

/** Time that only the test moves. */
export class Hand {
  time = 1000;
  private waiting: { at: number; run: () => void }[] = [];
  now = () => this.time;
  after = (ms: number, run: () => void) => {
    const entry = { at: this.time + ms, run };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  };
  afterPaint = (run: (now: number) => void) => void this.after(FRAME_MS, () => run(this.time));

  /** Let time pass. */
  pass(ms: number) {
    const end = this.time + ms;
    for (;;) {
      const due = this.waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.waiting = this.waiting.filter((other) => other !== due);
      this.time = due.at;
      due.run();
    }
    this.time = end;
  }
}
