/**
 * Which parts of the screen are to be seen: panels, drawers, pause, the empty viewer, and how much
 * of what is above the page while one is open.
 */

import { fill, h, setAttr } from "../shared/dom";
import { icon } from "../shared/icons";
import { grouped } from "../shared/notation";
import { names } from "../shared/shown_record";
import { isReadOnly } from "./state/attempt_state";
import { saveLayout } from "./sync/browser_storage";
import type { Workspace } from "./workspace";

// As in layout.css: the batch panel is a drawer, the answer panel is one as well.
const SMALL = "(max-width: 72rem)";
const NARROW = "(max-width: 52rem)";
// A window in which a page and what is above it do not both fit.
const LOW = "(max-height: 59.99rem)";

// Turning leaves question and results as they are; opening a page makes room for it.
export const TURNS = new Set(["next", "previous", "first", "last", "jump", "thumbnail"]);

const matches = (query: string) => window.matchMedia(query).matches;

export class Layout {
  screen: Workspace;
  paused: boolean;

  emptyKey: any;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.paused = false;
    const observer = new ResizeObserver(() => screen.store.data.state && this.resized());
    observer.observe(screen.element);
  }

  /** The window is another size: what is a drawer, and what makes room, may be another. */
  resized() {
    this.show(this.screen.store.data);
  }

  /** Hide everything while the clock is paused. */
  showPause({ state, protocol }: Pt.WorkspaceData) {
    const { screen } = this;
    const paused = state.paused && protocol.clock.pause && !isReadOnly(state);
    if (paused === this.paused) return;
    this.paused = paused;
    screen.pauseOverlay.hidden = !paused;
    for (const part of [screen.sidebar.element, screen.centre, screen.panel]) part.inert = paused;
    screen.element.classList.toggle("paused", paused);
    screen.attempt.clock.setRunning(!paused && !isReadOnly(state) && !document.hidden);
    if (paused) screen.resume.focus();
  }

  /** Show or hide the panels as chosen. */
  show({ layout, page, reading }: Pt.WorkspaceData) {
    const { screen } = this;
    const { classList } = screen.element;
    const { compact } = this;
    classList.toggle("no-left", layout.left === false);
    classList.toggle("no-right", layout.right === false);
    this.notePanels();
    classList.toggle("no-page", !page);
    classList.toggle("reading", Boolean(reading && page));
    classList.toggle("compact", compact);
    const label = compact ? "Show question and results" : "Make room for the page";
    screen.contextToggle.hidden = !page;
    if (screen.contextToggle.getAttribute("aria-expanded") === String(!compact)) return;
    screen.contextToggle.replaceChildren(icon(compact ? "down" : "up"));
    setAttr(screen.contextToggle, "aria-label", label);
    setAttr(screen.contextToggle, "title", `${label} (q)`);
    setAttr(screen.contextToggle, "aria-expanded", String(!compact));
  }

  /** Say which panels are to be seen. */
  notePanels() {
    const { leftOpen, rightOpen, compact } = this;
    this.screen.store.set({ leftOpen, rightOpen, compact });
  }

  /** Whether question and results make room for the open page. */
  get compact() {
    const { page, contextOpen, layout } = this.screen.store.data;
    if (!page) return false;
    return matches(LOW) ? !contextOpen : layout.resultsCollapsed === true;
  }

  /** Show question and results in full, or make room for the page. */
  showContext(open: boolean = true) {
    this.read(false);
    if (open === !this.compact) return;
    if (matches(LOW)) this.screen.store.set({ contextOpen: open });
    else this.set({ resultsCollapsed: !open });
  }

  /** Show the open page and its bars alone, or the whole screen. */
  read(reading: boolean) {
    const { data } = this.screen.store;
    if (Boolean(data.reading) !== (reading && Boolean(data.page)))
      this.screen.store.set({ reading: reading && Boolean(data.page) });
  }

  /** A task's panels are shown from their top. */
  toTop() {
    for (const part of this.screen.element.querySelectorAll(".scrolls")) part.scrollTop = 0;
    this.screen.question.scrollTop = 0;
  }

  /** On a small screen the batch panel is a drawer that is closed until asked for. */
  toggleLeft(open: boolean | null = null) {
    if (!matches(SMALL)) {
      if (open === null) this.set({ left: this.screen.store.data.layout.left === false });
      return;
    }
    this.screen.element.classList.toggle("show-left", open ?? !this.drawer);
    this.notePanels();
  }

  /**
   * Whether something is open or folded, remembered by name.
   * @param value sets it
   */
  recall(what: "help" | "folded", name: string, value?: boolean): boolean {
    const known = this.screen.store.data.layout[what] ?? {};
    if (value !== undefined) this.set({ [what]: { ...known, [name]: value } });
    return value ?? known[name] ?? false;
  }

  /**
   * Whether the viewer has thumbnails beside the page. Where a task gives all pages there are, the
   * strip above shows them already: there it is only when asked for.
   */
  get rail() {
    const { layout } = this.screen.store.data;
    return this.stripSaysAll ? layout.railToo === true : layout.rail !== false;
  }

  /** Show or hide the thumbnails, here and in tasks of the same sort. */
  setRail(open: boolean) {
    this.set(this.stripSaysAll ? { railToo: open } : { rail: open });
  }

  get stripSaysAll() {
    const { given, protocol } = this.screen.store.data;
    return Boolean(given?.length) && !protocol.browse;
  }

  /** In a narrow window the answer panel is a drawer, too. */
  toggleRight(open: boolean | null = null) {
    if (!matches(NARROW)) {
      if (open === null) this.set({ right: this.screen.store.data.layout.right === false });
      return;
    }
    this.screen.element.classList.toggle("show-right", open ?? !this.rightOpen);
    this.notePanels();
  }

  /** Open the right panel if it is folded away. */
  showRight() {
    this.read(false);
    if (matches(NARROW)) this.toggleRight(true);
    else if (!this.rightOpen) this.set({ right: true });
  }

  /** Whether the answer panel is to be seen. */
  get rightOpen() {
    if (matches(NARROW)) return this.screen.element.classList.contains("show-right");
    return this.screen.store.data.layout.right !== false;
  }

  /**
   * Close a drawer.
   * @returns whether one was open
   */
  closeDrawers(): boolean {
    const right = matches(NARROW) && this.rightOpen;
    const open = this.drawer || right;
    this.toggleLeft(false);
    this.toggleRight(false);
    return open;
  }

  /** Whether the batch panel is to be seen. */
  get leftOpen() {
    if (matches(SMALL)) return this.drawer;
    return this.screen.store.data.layout.left !== false;
  }

  get drawer() {
    return matches(SMALL) && this.screen.element.classList.contains("show-left");
  }

  /** Change what is shown, and remember it. */
  set(change: any) {
    const layout = { ...this.screen.store.data.layout, ...change };
    this.screen.store.set({ layout });
    saveLayout(layout);
  }

  /** What to do when no page is open. */
  showEmpty({ protocol, corpus, state, results, given, locked }: Pt.WorkspaceData) {
    const { empty } = this.screen.viewer;
    const size = corpus
      ? `${grouped(corpus.pages)} pages of ${grouped(corpus.documents)} documents`
      : "the collection";
    const corrigible = protocol.pages_after
      .map((name) => protocol.fields.find((spec) => spec.name === name))
      .map((spec) => spec?.label ?? "");
    const lines = locked.length
      ? [`Judge ${names(locked)} first; the sources open after that.`]
      : corrigible.length && !state.n_page_views
        ? [
            "Choose a page above to read it.",
            `${names(corrigible)} can be corrected until a page is opened.`,
          ]
        : !protocol.search.enabled
          ? ["Choose a page above to read it."]
          : results?.results.length
            ? ["Open a result to read it.", "↓ and ↑ move among the results, Enter opens one."]
            : isReadOnly(state) && !this.screen.store.data.review
              ? ["No page was open when this task was submitted."]
              : given?.length
                ? ["Choose a page above, or search."]
                : [
                    `Search ${size}.`,
                    "Type words that the page must contain, then press Enter. Key: /",
                  ];
    const key = lines.join("\n");
    if (key === this.emptyKey) return;
    this.emptyKey = key;
    fill(
      empty,
      icon(locked.length ? "lock" : "page"),
      ...lines.map((text, i) => h("p", { class: i ? "quiet" : "lead", text })),
    );
  }
}
