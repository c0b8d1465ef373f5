/** Swiping sideways on a touch screen turns the page. Pure, without DOM. */

const MIN_PX = 60;
/** How much further sideways than up or down. */
const SLOPE = 2;

interface Finger {
  clientX: number;
  clientY: number;
}

/** Which movements of a single finger turn the page. */
export class Swipe {
  private start: Finger | null = null;

  /**
   * Fingers come down.
   * @param mayTurn whether a finger has nothing else to do: draw, select, or move a wide page
   */
  press({ touches }: { touches: ArrayLike<Finger> }, mayTurn: boolean) {
    this.start = touches.length === 1 && mayTurn ? touches[0] : null;
  }

  /**
   * The finger is lifted.
   * @returns 1 next page, -1 previous, 0 neither
   */
  lift({ changedTouches }: { changedTouches: ArrayLike<Finger> }) {
    const { start } = this;
    this.start = null;
    if (!start) return 0;
    const across = changedTouches[0].clientX - start.clientX;
    const down = changedTouches[0].clientY - start.clientY;
    if (Math.abs(across) < MIN_PX || Math.abs(across) < SLOPE * Math.abs(down)) return 0;
    return across < 0 ? 1 : -1;
  }

  /** The browser took the touch. */
  cancel() {
    this.start = null;
  }
}
