/**
 * The page viewer: which page is open and how it was reached. Turning happens here, in the client;
 * the server only learns of it.
 */

import { batch, type Signal, signal } from "@preact/signals";
import { createRef } from "preact";
import { t } from "../../shared/messages";
import { includesPlace, samePlace } from "../../shared/places";
import { readOn, room, WheelTurns } from "./page_end";
import { PagePainter, type PainterHost } from "./page_painter";
import { Swipe } from "./swipe";
import type { RailDocument } from "./Thumbnails";
import type { ShownPage } from "./ViewBar";

const BACK = new Set(["first", "previous"]);

/** What the viewer asks and tells. */
export interface ViewerHost extends Omit<PainterHost, "onView" | "neighbours"> {
  onOpen: (target: Pt.PaintedPage) => void;
  /** Zoom, fit or rotation was changed by hand. */
  onView: (view: Pt.View) => void;
}

export class Viewer {
  target: Pt.PaintedPage | null = null;
  /** The page that was left for another place, by anything but turning. */
  before: Pt.PaintedPage | null = null;
  private info: Pt.ShownDocument | null = null;
  /** pages that turning is limited to, in this order; null for all */
  private allowed: Pt.Place[] | null = null;
  /** counts what was opened, so that what arrives late opens nothing */
  private openings = 0;
  private readonly painter: PagePainter;
  readonly stage: PagePainter["stage"];
  readonly shown: Signal<ShownPage>;
  readonly railDocument = signal<RailDocument | null>(null);
  readonly currentPage = signal(0);
  readonly retries = signal(0);
  readonly pageNumber = createRef<HTMLInputElement>();

  constructor(private readonly host: ViewerHost) {
    this.painter = new PagePainter({
      ...host,
      onView: (view, byHand) => {
        if (byHand) host.onView(view);
        this.refresh();
      },
      neighbours: () => this.neighbours(),
    });
    this.stage = this.painter.stage;
    this.shown = signal(this.shownPage());
    const wheel = new WheelTurns();
    this.stage.pane.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.buttons) return;
        this.turnOn(
          wheel.turn(event, (way) => room(this.stage.pane, way)),
          event.timeStamp,
        );
      },
      { passive: true },
    );
    this.turnBySwiping();
    this.stage.text.dataset.testid = "page-text";
    this.refresh();
  }

  private turnBySwiping() {
    const swipe = new Swipe();
    const { pane } = this.stage;
    const passive = { passive: true };
    // In a screen that is zoomed as a whole, a finger moves the screen.
    const mayTurn = () =>
      this.stage.tool === "pan" &&
      pane.scrollWidth <= pane.clientWidth + 1 &&
      (window.visualViewport?.scale ?? 1) < 1.01;
    pane.addEventListener("touchstart", (event) => swipe.press(event, mayTurn()), passive);
    pane.addEventListener("touchcancel", () => swipe.cancel(), passive);
    pane.addEventListener(
      "touchend",
      (event) => {
        const by = swipe.lift(event);
        if (by) this.turn(by > 0 ? "next" : "previous", event.timeStamp);
      },
      passive,
    );
  }

  /** @param pages that turning is limited to, in this order; null for all */
  setAllowed(pages: Pt.Place[] | null) {
    this.allowed = pages;
    this.refresh();
  }

  mayOpen({ document, page }: Pt.Place) {
    return !this.allowed || includesPlace(this.allowed, { document, page });
  }

  /** Whether the open page is painted. */
  get painted() {
    return this.painter.painted;
  }

  private position() {
    if (!this.target) return -1;
    if (!this.allowed) return this.target.page - 1;
    return this.allowed.findIndex((place) => samePlace(place, this.target));
  }

  /** The page of that index among those that turning goes to. */
  private pageAt(index: number): Pt.Place | null {
    if (index < 0 || index >= this.count()) return null;
    if (this.allowed) return this.allowed[index];
    return this.target && { document: this.target.document, page: index + 1 };
  }

  private count() {
    return this.allowed ? this.allowed.length : (this.info?.n_pages ?? 0);
  }

  /** The pages around the open one, those in the direction of travel first. */
  private neighbours() {
    const here = this.position();
    const steps = BACK.has(this.target?.via ?? "") ? [-1, -2, 1, 2] : [1, -1, 2, -2];
    return steps.map((step) => this.pageAt(here + step)).filter((place) => place !== null);
  }

  private shownPage(): ShownPage {
    const position = this.position();
    return {
      page: this.target,
      total: this.info?.n_pages ?? 0,
      canBack: position > 0,
      canForward: position >= 0 && position < this.count() - 1,
      view: { ...this.stage.view },
    };
  }

  /** What the bar shows has changed. */
  private refresh() {
    this.shown.value = this.shownPage();
    this.stage.element.hidden = !this.target;
  }

  focusPageNumber() {
    this.pageNumber.current?.focus();
  }

  /** Turn: first, previous, next, last. Each call counts, however fast they come. */
  turn(via: "first" | "previous" | "next" | "last", stamp: number) {
    const here = this.position();
    const to = { first: 0, previous: here - 1, next: here + 1, last: this.count() - 1 }[via];
    const page = to === here ? null : this.pageAt(to);
    if (this.target && page) this.goTo({ ...this.target, ...page }, via, stamp);
  }

  /** The keys are the page's now. */
  focusPage() {
    this.stage.pane.focus({ preventScroll: true });
  }

  /**
   * Read on by a key: scroll, and turn at the page's end.
   * @returns false leaves the key alone
   */
  readOn(event: KeyboardEvent): boolean {
    if (!this.target || this.stage.tool === "box") return false;
    const { pane } = this.stage;
    const step = readOn(event, pane);
    if (step && "scroll" in step) pane.scrollTop += step.scroll;
    else if (step) this.turnOn(step.turn, event.timeStamp);
    return true;
  }

  /** Turn by a page; back to the end of the one before. */
  turnOn(by: number, stamp: number) {
    const { target } = this;
    if (by) this.turn(by > 0 ? "next" : "previous", stamp);
    if (by < 0 && this.target !== target) this.stage.pane.scrollTop = this.stage.pane.scrollHeight;
  }

  /** Back to the page that was left for another place, and from there to this one again. */
  back(stamp: number) {
    if (!this.before || !this.mayOpen(this.before)) return false;
    this.goTo(this.before, "back", stamp);
    return true;
  }

  /** Go to a page of the open document by number; false when there is none. */
  jump(page: number, stamp: number) {
    if (!this.target || !this.info || !(page >= 1 && page <= this.info.n_pages)) return false;
    if (!this.mayOpen({ ...this.target, page })) return false;
    if (page !== this.target.page) this.goTo({ ...this.target, page }, "jump", stamp);
    return true;
  }

  /**
   * Open a page.
   * @param via how it was reached
   * @param stamp when the click happened, on performance.now()'s clock
   */
  async goTo(target: Pt.OpenPage, via: Pt.PageViewed["via"], stamp: number = performance.now()) {
    this.openings += 1;
    const opening = this.openings;
    let info: Pt.ShownDocument | null;
    const known = this.host.documentInfo(target.document);
    if (known instanceof Promise) {
      info = await known.catch(() => null);
      if (opening !== this.openings) return;
      if (!info) {
        this.stage.setNotice(t("{document} cannot be opened now.", { document: target.document }));
        return;
      }
    } else info = known;
    const page = Math.min(Math.max(1, target.page), info.n_pages);
    if (this.target && via !== "next" && via !== "previous") this.before = this.target;
    this.info = info;
    this.target = { search_id: null, ...target, page, via, version: info.version };
    this.stage.element.hidden = false;
    this.painter.open(this.target, info, stamp);
    this.host.onOpen(this.target);
    this.showInRail(info, this.target);
    this.stage.pane.setAttribute(
      "aria-label",
      t("Page {page} of {document}", { page, document: target.document }),
    );
    this.refresh();
  }

  private showInRail(info: Pt.ShownDocument, { document, page }: Pt.Place) {
    const here = this.allowed?.filter((place) => place.document === document);
    const pages = here?.map((place) => place.page) ?? null;
    const shown = this.railDocument.value;
    batch(() => {
      if (info !== shown?.info || String(pages) !== String(shown?.pages ?? null))
        this.railDocument.value = { info, pages };
      this.currentPage.value = page;
    });
  }

  /** @param view a stored one, to restore without recording it */
  restoreView(view: Pt.View) {
    this.stage.setView({ ...view }, { byHand: false });
  }

  fit(fit: Pt.View["fit"]) {
    if (this.target) this.stage.setView({ fit });
  }

  rotate() {
    if (this.target) this.stage.setView({ rotation: (this.stage.view.rotation + 90) % 360 });
  }

  /** Fetch a page that is likely to be opened next, in place of the one that was before. */
  fetchAhead(place: Pt.Place) {
    if (this.mayOpen(place)) this.painter.fetchAhead(place);
  }

  /** The connection is back: try missing images at once. */
  retry() {
    this.painter.retry();
    this.retries.value += 1;
  }

  /** No page open. */
  close() {
    this.openings += 1;
    this.target = null;
    this.before = null;
    this.info = null;
    this.painter.close();
    this.refresh();
  }
}
