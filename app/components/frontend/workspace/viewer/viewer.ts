/**
 * The page viewer: which page is open and how it was reached. Turning happens here, in the client;
 * the server only learns of it.
 */

import { h } from "../../shared/dom";
import { readOn, room, WheelTurns } from "./page_end";
import { PagePainter } from "./page_painter";
import { Thumbnails } from "./thumbnails";
import { createViewBar } from "./toolbar";

export class Viewer extends PagePainter {
  /** The page that was left for another place, by anything but turning. */
  before: any;
  model: {
    cited: boolean;
    readOnly: boolean;
    evidence: boolean;
    rail: boolean;
    reading: boolean;
    selects: boolean;
  };
  thumbnails: Thumbnails;
  bar: { element: HTMLElement; update: (model: any) => void; focusPage: () => void };
  empty: HTMLDivElement;
  bars: HTMLDivElement;
  element: HTMLElement;

  /**
   * @param host pageUrl(sha, page, dpi), documentInfo(name), onPainted(target),
   * onView(view), onCite(target), onRail(open), onRead(), onSelectText(),
   * onRun(command), onOpen(target), highlights(target)
   */
  constructor(host: any) {
    super(host);
    /** The page that was left for another place, by anything but turning. */
    this.before = null;
    this.model = {
      cited: false,
      readOnly: false,
      evidence: true,
      rail: true,
      reading: false,
      selects: false,
    };
    this.thumbnails = new Thumbnails({
      url: (sha, page) => host.pageUrl(sha, page, 40),
      open: (page, stamp) => {
        this.goTo({ ...this.target, page }, "thumbnail", stamp);
        this.focusPage();
      },
    });
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
    this.bar = createViewBar({
      turn: (via: string, stamp: number) => this.turn(via, stamp),
      jump: (page: number, stamp: number) => this.jump(page, stamp),
      zoomStep: (direction: any) => this.target && this.stage.zoomStep(direction),
      zoomTo: (zoom: number) => this.target && this.stage.zoomTo(zoom),
      fit: (fit: any) => this.fit(fit),
      rotate: () => this.rotate(),
      selectText: () => host.onSelectText(),
      run: (command: string) => host.onRun(command),
      cite: () => this.target && host.onCite(this.target),
      toggleRail: () => host.onRail(!this.model.rail),
      toggleReading: () => host.onRead(),
    });
    this.empty = h("div", { class: "empty", testid: "viewer-empty" });
    this.bars = h("div", {}, this.bar.element);
    this.element = h(
      "section",
      { class: "viewer column", "aria-label": "Viewer" },
      this.bars,
      h("div", { class: "viewer-body" }, this.thumbnails.element, this.stage.element, this.empty),
    );
    this.update({});
  }

  /** @param change of what the bar shows */
  update(change: any) {
    Object.assign(this.model, change);
    const position = this.position();
    this.bar.update({
      ...this.model,
      page: this.target,
      total: this.info?.n_pages ?? 0,
      canBack: position > 0,
      canForward: position >= 0 && position < this.count() - 1,
      view: this.stage.view,
    });
    this.empty.hidden = Boolean(this.target);
    this.stage.element.hidden = !this.target;
    this.thumbnails.element.hidden = !this.target || !this.model.rail || this.model.reading;
  }

  /** Turn: first, previous, next, last. Each call counts, however fast they come. */
  turn(via: string, stamp: number) {
    if (!this.target) return;
    const here = this.position();
    const to = { first: 0, previous: here - 1, next: here + 1, last: this.count() - 1 }[via] as any;
    if (to < 0 || to >= this.count() || to === here) return;
    this.goTo({ ...this.target, ...this.pageAt(to) }, via, stamp);
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
    if (!this.target || !(page >= 1 && page <= this.info.n_pages)) return false;
    if (!this.mayOpen({ ...this.target, page })) return false;
    if (page !== this.target.page) this.goTo({ ...this.target, page }, "jump", stamp);
    return true;
  }

  /**
   * Open a page.
   * @param via how it was reached
   * @param stamp when the click happened, on performance.now()'s clock
   */
  async goTo(target: any, via: string, stamp: number = performance.now()) {
    this.token += 1;
    const { token } = this;
    let info = this.host.documentInfo(target.document);
    if (info instanceof Promise) {
      info = await info.catch(() => null);
      if (token !== this.token) return;
      if (!info) {
        this.stage.setNotice(`${target.document} cannot be opened now.`);
        return;
      }
    }
    clearTimeout(this.retryTimer);
    const page = Math.min(Math.max(1, target.page), info.n_pages);
    const sameDocument = this.info === info;
    if (this.target && via !== "next" && via !== "previous") this.before = this.target;
    this.info = info;
    this.target = { search_id: null, ...target, page, via };
    this.painted = false;
    this.refusedDpi = 0;
    this.stage.pane.setAttribute("aria-busy", "true");
    this.stage.setNotice(null);
    this.stage.element.hidden = false;
    this.stage.setPage(info.pages[page - 1] ?? [612, 792]);
    this.show(token, stamp, 0);
    this.host.onOpen(this.target);
    if (!sameDocument || this.allowed) this.thumbnails.setDocument(info, this.allowedHere());
    this.thumbnails.setCurrent(page);
    this.stage.pane.setAttribute("aria-label", `Page ${page} of ${target.document}`);
    this.update({});
  }

  allowedHere() {
    const here = this.allowed?.filter(({ document }) => document === this.target.document);
    return here?.map(({ page }) => page) ?? null;
  }

  viewChanged(view: any, byHand: boolean) {
    super.viewChanged(view, byHand);
    this.update({});
  }

  /** @param view a stored one, to restore without recording it */
  restoreView(view: any) {
    this.stage.setView({ ...view }, { byHand: false });
  }

  fit(fit: any) {
    if (this.target) this.stage.setView({ fit });
  }

  rotate() {
    if (this.target) this.stage.setView({ rotation: (this.stage.view.rotation + 90) % 360 });
  }

  /** The connection is back: try missing images at once. */
  retry() {
    super.retry();
    this.thumbnails.render();
  }

  /** No page open. */
  close() {
    this.token += 1;
    clearTimeout(this.retryTimer);
    this.target = null;
    this.before = null;
    this.info = null;
    this.stage.clear();
    this.stage.setNotice(null);
    this.update({});
  }

  destroy() {
    clearTimeout(this.retryTimer);
    this.stage.destroy();
    this.thumbnails.destroy();
  }
}
