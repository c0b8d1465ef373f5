/** Which parts of the screen are to be seen: panels, drawer, pause, the empty viewer. */

import { fill, h } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { names } from "../shared/shown_record.js";
import { isReadOnly } from "./state/attempt_state.js";
import { saveLayout } from "./sync/browser_storage.js";

const SMALL = "(max-width: 72rem)"; // as in panels.css

export class Layout {
  /** @type {any} */
  emptyKey;

  /** @param {import("./workspace.js").Workspace} screen */
  constructor(screen) {
    this.screen = screen;
    this.paused = false;
  }

  /** Hide everything while the clock is paused. @param {Pt.WorkspaceData} workspaceData */
  showPause({ state, protocol }) {
    const { screen } = this;
    const paused = state.paused && protocol.clock.pause && !isReadOnly(state);
    if (paused === this.paused) return;
    this.paused = paused;
    screen.pauseOverlay.hidden = !paused;
    for (const part of [screen.sidebar.element, screen.centre, screen.panel.element])
      part.inert = paused;
    screen.element.classList.toggle("paused", paused);
    screen.attempt.clock.setRunning(!paused && !isReadOnly(state) && !document.hidden);
    if (paused) screen.resume.focus();
  }

  /** Show or hide the panels as chosen. @param {Pt.WorkspaceData} workspaceData */
  show({ layout }) {
    this.screen.element.classList.toggle("no-left", layout.left === false);
    this.screen.element.classList.toggle("no-right", layout.right === false);
    this.screen.results.setCollapsed(layout.resultsCollapsed === true);
  }

  /**
   * On a small screen the batch panel is a drawer that is closed until asked for.
   * @param {boolean | null} [open]
   */
  toggleLeft(open = null) {
    if (!window.matchMedia(SMALL).matches) {
      if (open === null) this.set({ left: this.screen.store.data.layout.left === false });
      return;
    }
    this.screen.element.classList.toggle("show-left", open ?? !this.drawer);
    this.screen.showTop();
  }

  /**
   * Whether something is open or folded, remembered by name.
   * @param {"help"|"folded"} what
   * @param {string} name
   * @param {boolean} [value] sets it
   * @returns {boolean}
   */
  recall(what, name, value) {
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

  /** Show or hide the thumbnails, here and in tasks of the same sort. @param {boolean} open */
  setRail(open) {
    this.set(this.stripSaysAll ? { railToo: open } : { rail: open });
  }

  get stripSaysAll() {
    const { given, protocol } = this.screen.store.data;
    return Boolean(given?.length) && !protocol.browse;
  }

  /** Open the right panel if it is folded away. */
  showRight() {
    if (this.screen.store.data.layout.right === false) this.set({ right: true });
  }

  /** Whether the batch panel is to be seen. */
  get leftOpen() {
    if (window.matchMedia(SMALL).matches) return this.drawer;
    return this.screen.store.data.layout.left !== false;
  }

  get drawer() {
    return this.screen.element.classList.contains("show-left");
  }

  /** Change what is shown, and remember it. @param {any} change */
  set(change) {
    const layout = { ...this.screen.store.data.layout, ...change };
    this.screen.store.set({ layout });
    saveLayout(layout);
  }

  /** What to do when no page is open. @param {Pt.WorkspaceData} workspaceData */
  showEmpty({ protocol, corpus, state, results, given, locked }) {
    const { empty } = this.screen.viewer;
    const size = corpus
      ? `${corpus.pages.toLocaleString("en")} pages of ${corpus.documents.toLocaleString("en")} documents`
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
