/**
 * The time limit of a task. As on the server, time counts while the task is open, neither paused
 * nor in a hidden tab; each reply says how much the server has counted.
 */

export class TimeLimit {
  private running = false;
  private total = 0;
  private limitMs: number | null = null;
  private since: number;

  /** @param now milliseconds, monotonic */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.since = now();
  }

  /**
   * Begin with another attempt.
   * @param seconds the limit, null where there is none
   * @param workMs what the server has counted
   */
  start(seconds: number | null, workMs: number) {
    this.limitMs = seconds === null ? null : seconds * 1000;
    this.total = workMs;
    this.since = this.now();
    this.running = false;
  }

  get worked() {
    return this.total + (this.running ? Math.max(0, this.now() - this.since) : 0);
  }

  /** The state changed: time counts, or is stopped. */
  run({ status, paused, hidden }: { status: string; paused: boolean; hidden: boolean }) {
    const running = (status === "open" || status === "new") && !paused && !hidden;
    if (running === this.running) return;
    this.total = this.worked;
    this.since = this.now();
    this.running = running;
  }

  /**
   * The server's count, up to the last event of a reply.
   * @param at when that event happened, on the monotonic clock
   */
  heard(workMs: number | undefined, at: number | null) {
    if (workMs === undefined) return;
    this.total = workMs;
    this.since = at ?? this.now();
  }

  /** The server has counted at least this much, perhaps in another tab. */
  atLeast(workMs: number) {
    if (workMs <= this.worked) return;
    this.total = workMs;
    this.since = this.now();
  }

  /** The server says that the time is over. */
  end() {
    if (this.limitMs !== null) this.atLeast(this.limitMs);
  }

  /** Milliseconds that are left, or null without a limit. */
  get left() {
    return this.limitMs === null ? null : Math.max(0, this.limitMs - this.worked);
  }

  get over() {
    return this.left === 0;
  }
}
