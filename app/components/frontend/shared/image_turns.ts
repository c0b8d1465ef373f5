/**
 * Which small images load: a few at a time, since a browser opens six connections to a server, and
 * pages, searches and events must find one free.
 */

const AT_ONCE = 3;

export class ImageTurns {
  private readonly waiting: (() => void)[] = [];
  private loading = 0;

  /** @param schedule when the first turns begin that are free */
  constructor(private readonly schedule: (begin: () => void) => void = (begin) => begin()) {}

  /**
   * Start when it is this image's turn, as soon as scheduled if few are loading.
   * @returns ends the turn, or gives it up; the same as often as it is called
   */
  take(start: () => void): () => void {
    this.waiting.push(start);
    this.schedule(() => this.next());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const place = this.waiting.indexOf(start);
      if (place >= 0) this.waiting.splice(place, 1);
      else {
        this.loading -= 1;
        this.next();
      }
    };
  }

  private next() {
    while (this.loading < AT_ONCE) {
      const start = this.waiting.shift();
      if (!start) return;
      this.loading += 1;
      start();
    }
  }
}
