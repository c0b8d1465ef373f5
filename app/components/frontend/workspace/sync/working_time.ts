/**
 * The working-time clock. As in the stored numbers, time counts between consecutive events, each
 * gap up to the idle cap; pauses and hidden spans do not count.
 */

import { IDLE_CAP_MS } from "../../shared/limits";

export class ActiveClock {
  running = true;
  private total = 0;
  private last: number;

  /** @param now milliseconds, monotonic */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  /** Start from the time that the server counted. */
  reset(ms: number, { running = true } = {}) {
    this.total = ms;
    this.last = this.now();
    this.running = running;
  }

  gap() {
    return this.running ? Math.min(IDLE_CAP_MS, Math.max(0, this.now() - this.last)) : 0;
  }

  /** An event was recorded. */
  activity() {
    this.total += this.gap();
    this.last = this.now();
  }

  /** Stop (pause, hidden tab, read-only) or go on. */
  setRunning(running: boolean) {
    if (running === this.running) return;
    this.total += this.gap();
    this.last = this.now();
    this.running = running;
  }

  /** Milliseconds of work so far. */
  get value() {
    return this.total + this.gap();
  }

  /** Whether nothing has been done for so long that the clock is stopped. */
  get idle() {
    return this.running && this.now() - this.last >= IDLE_CAP_MS;
  }
}

/** "4:07" or "1:04:07". */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
