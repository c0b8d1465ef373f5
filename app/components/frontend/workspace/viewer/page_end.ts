/**
 * Reading on: scrolling a page by keys or by the wheel, and turning where it ends. Pure, without DOM.
 */

const PAGE_PART = 0.9;
const LINE_PX = 48;
const NEAR_PX = 1;
const PAUSE_MS = 250;
const PUSH_PX = 60;
const WHEEL_LINE_PX = 40;

const STEPS: Record<string, { by: 1 | -1; line: boolean }> = {
  " ": { by: 1, line: false },
  PageDown: { by: 1, line: false },
  PageUp: { by: -1, line: false },
  ArrowDown: { by: 1, line: true },
  ArrowUp: { by: -1, line: true },
};

/**
 * What is left to scroll in a direction.
 * @param direction 1 down, -1 up
 * @returns pixels
 */
export function room(
  {
    scrollTop,
    scrollHeight,
    clientHeight,
  }: { scrollTop: number; scrollHeight: number; clientHeight: number },
  direction: number,
): number {
  const left = direction > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  return left > NEAR_PX ? left : 0;
}

/**
 * What a reading key does to a page.
 * @returns pixels down, or a page; null where a key that is
 * held down has come to the end: it stops there
 */
export function readOn(
  { key, shiftKey, repeat }: { key: string; shiftKey: boolean; repeat: boolean },
  pane: { scrollTop: number; scrollHeight: number; clientHeight: number },
): { scroll: number } | { turn: 1 | -1 } | null {
  const { by, line } = STEPS[key];
  const direction = key === " " && shiftKey ? -1 : by;
  const left = room(pane, direction);
  const step = line ? LINE_PX : pane.clientHeight * PAGE_PART;
  if (left) return { scroll: direction * Math.min(left, step) };
  return repeat ? null : { turn: direction };
}

/** Which movements of the wheel turn the page: those that begin where it ends, each one page. */
export class WheelTurns {
  last: number;
  direction: number;
  pushed: number;

  constructor() {
    this.last = Number.NEGATIVE_INFINITY;
    this.direction = 0;
    this.pushed = 0;
  }

  /**
   * @param left pixels left to scroll
   * @returns 1 next page, -1 previous, 0 neither
   */
  turn(
    {
      deltaX,
      deltaY,
      deltaMode,
      timeStamp,
    }: { deltaX: number; deltaY: number; deltaMode: number; timeStamp: number },
    left: (direction: number) => number,
  ): number {
    const direction = Math.sign(deltaY);
    const begins = timeStamp - this.last > PAUSE_MS;
    this.last = timeStamp;
    if (begins) {
      this.direction = Math.abs(deltaY) > Math.abs(deltaX) && !left(direction) ? direction : 0;
      this.pushed = 0;
    }
    if (!direction || direction !== this.direction || left(direction)) return 0;
    this.pushed += Math.abs(deltaY) * (deltaMode === 1 ? WHEEL_LINE_PX : 1);
    if (this.pushed < PUSH_PX) return 0;
    this.direction = 0; // what follows without a pause belongs to this movement
    return direction;
  }
}
