/** Swiping sideways on a touch screen turns the page. Pure, without DOM. */

const MIN_PX = 60;
/** How much further sideways than up or down. */
const SLOPE = 2;

interface Finger {
  clientX: number;
  clientY: number;
}

interface ScrolledSideways {
  scrollLeft: number;
  scrollWidth: number;
  clientWidth: number;
}

/** Which movements of a single finger turn the page: those sideways where nothing scrolls. */
export class Swipe {
  private start: (Finger & { isAtStart: boolean; isAtEnd: boolean }) | null = null;

  /**
   * Fingers come down.
   * @param mayBegin whether a finger reads here, and does not draw or select
   */
  press({ touches }: { touches: ArrayLike<Finger> }, pane: ScrolledSideways, mayBegin: boolean) {
    this.start = null;
    if (touches.length !== 1 || !mayBegin) return;
    const { clientX, clientY } = touches[0];
    const left = Math.round(pane.scrollLeft);
    // Where the page is wider than its pane, a finger moves it; from its edge on, it turns.
    const isAtStart = left <= 1;
    const isAtEnd = left >= pane.scrollWidth - pane.clientWidth - 1;
    this.start = { clientX, clientY, isAtStart, isAtEnd };
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
    const isSideways = Math.abs(across) >= MIN_PX && Math.abs(across) > SLOPE * Math.abs(down);
    const by = across < 0 ? 1 : -1;
    return isSideways && (by > 0 ? start.isAtEnd : start.isAtStart) ? by : 0;
  }

  /** The browser took the touch, or it became something else. */
  cancel() {
    this.start = null;
  }
}
