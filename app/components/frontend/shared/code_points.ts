/** Positions in a text: events count Unicode code points, the browser UTF-16 units. */

const SURROGATE = /[\ud800-\udfff]/;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Number of code points of a text, as Python's `len` counts them. */
export function countPoints(text: string): number {
  return new Positions(text).toPoint(text.length);
}

/** Converts the positions of one text. */
export class Positions {
  /** where the characters of two units begin, in units */
  private readonly pairs: number[];

  constructor(text: string) {
    this.pairs = SURROGATE.test(text) ? [...text.matchAll(PAIR)].map(({ index }) => index) : [];
  }

  /** From units to code points. */
  toPoint(unit: number): number {
    return unit - countUpTo(this.pairs.length, (i) => this.pairs[i] + 1 < unit);
  }

  /** From code points to units. */
  toUnit(point: number): number {
    return point + countUpTo(this.pairs.length, (i) => this.pairs[i] - i < point);
  }
}

/** How many of the numbers from 0 on hold, where all that hold come first. */
function countUpTo(count: number, holds: (i: number) => boolean) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
