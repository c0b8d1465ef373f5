/** What a person can do on the screen, by mouse or by key. */

import { ApiError } from "../shared/api";
import { openGuidelines } from "../shared/components/GuidelinesDialog";
import { openKeys } from "../shared/components/KeysDialog";
import { digitOf } from "../shared/keys";
import { MAX_BOOKMARKS } from "../shared/limits";
import { t } from "../shared/messages";
import { THUMBNAIL_DPI } from "../shared/page/page_images";
import { includesPlace, samePlace } from "../shared/places";
import { isCompact, isPaused } from "./panel_visibility";
import { openFlag } from "./panels/FlagDialog";
import { plainQuotes } from "./search/plain_quotes";
import { type AttemptKeys, keysIn } from "./shortcuts";
import { cites } from "./state/attempt_state";
import { openRecentPages } from "./viewer/RecentPages";
import type { Workspace } from "./workspace";

const VIEW_DEBOUNCE_MS = 400;
const NEXT_KEY_MS = 5000;
const TURNS = ["next", "previous", "first", "last"] as const;

/** What a key runs; "optionKey" is a protocol's own key. */
export type KeyCommand = Pt.WorkspaceCommand | "optionKey";
export type KeyAction = (event: KeyboardEvent, key: string) => unknown;

/** The parts of the screen that commands are for. */
type CommandedParts = Pick<
  Workspace,
  | "answerInput"
  | "attempt"
  | "boxes"
  | "dialogs"
  | "flush"
  | "focused"
  | "forms"
  | "undo"
  | "keys"
  | "layout"
  | "questionText"
  | "readiness"
  | "resultsHandle"
  | "searchInput"
  | "scratchpadInput"
  | "store"
  | "submission"
  | "toast"
  | "toasts"
  | "viewer"
  | "work"
>;

export class Commands {
  private readonly actions = new Map<KeyCommand, KeyAction>();
  private viewTimer = 0;
  /** What the next key completes, such as the number after "open result". */
  private nextKey: KeyAction | null = null;
  private nextKeyTimer = 0;

  constructor(private readonly screen: CommandedParts) {
    this.registerOwn();
  }

  private get data() {
    return this.screen.store.data;
  }

  private get attempt() {
    return this.screen.attempt;
  }

  /**
   * Let a part of the screen carry out a command.
   * @param run returning false leaves the key alone
   */
  register(name: KeyCommand, run: KeyAction) {
    this.actions.set(name, run);
  }

  registerAll(actions: Partial<Record<KeyCommand, KeyAction>>) {
    for (const [name, run] of Object.entries(actions)) this.register(name as KeyCommand, run);
  }

  /** The action of that name, or null; while the clock is paused only "pause" is one. */
  action(name: string): KeyAction | null {
    if (isPaused(this.data) && name !== "pause") return null;
    return this.actions.get(name as KeyCommand) ?? null;
  }

  /** What the next key completes; asked once. */
  takeNextKey(): KeyAction | null {
    const { nextKey } = this;
    this.nextKey = null;
    return nextKey;
  }

  /** Let the next key complete a command, unless it takes too long. */
  private expectKey(complete: KeyAction) {
    this.nextKey = complete;
    window.clearTimeout(this.nextKeyTimer);
    this.nextKeyTimer = window.setTimeout(() => {
      this.nextKey = null;
    }, NEXT_KEY_MS);
  }

  /** Carry out a command without a key, as buttons do. */
  run(command: Pt.WorkspaceCommand) {
    (this.action(command) as (() => unknown) | null)?.();
  }

  private get viewer() {
    return this.screen.viewer;
  }

  /** Where a page comes from: the search that led to it, and its rank there if it was a hit. */
  origin({ document, page, search_id }: Pt.OpenPage) {
    if (!search_id) return {};
    const search = this.data.state.searches.find((s) => s.search_id === search_id);
    const at = search?.results.findIndex((hit) => hit[0] === document && hit[1] === page) ?? -1;
    return at >= 0 ? { search_id, rank: at + 1 } : { search_id };
  }

  painted(target: Pt.PaintedPage) {
    const { document, page, via } = target;
    const isFirst = !this.data.state.n_page_views;
    this.attempt.record("page_viewed", { document, page, via, ...this.origin(target) });
    const locked = isFirst ? this.data.protocol.pages_after : [];
    for (const name of locked)
      this.screen.toast(
        t("Opening page {page} has locked “{label}”.", {
          page,
          label: this.data.protocol.fields.find((spec) => spec.name === name)?.label ?? name,
        }),
      );
    this.screen.readiness.pagePainted(target);
  }

  viewChanged(view: Pt.View) {
    window.clearTimeout(this.viewTimer);
    const { id } = this.attempt;
    this.viewTimer = window.setTimeout(() => {
      if (id !== this.attempt.id) return;
      const zoom = Math.round(view.zoom * 10) / 10;
      const rotation = view.rotation as Pt.ViewChanged["rotation"];
      this.attempt.record("view_changed", { fit: view.fit, zoom, rotation });
    }, VIEW_DEBOUNCE_MS);
  }

  async highlights({ document, page, search_id }: Pt.OpenPage) {
    if (!this.data.protocol.search.highlights || !search_id) return [];
    const { attempt } = this;
    try {
      return (await attempt.api.highlights(attempt.id, { document, page, search_id })).boxes;
    } catch (error) {
      if (error instanceof ApiError) return []; // an aid: the page is readable without it
      throw error;
    }
  }

  /** Run what is in the search bar, which shows it as it is sent: with plain quotes. */
  search(typed: string) {
    const query = plainQuotes(typed);
    this.screen.store.set({ query });
    this.screen.flush();
    this.attempt.query.run(query, { typed: query === typed ? null : typed });
  }

  /** Put a query into the search bar and run it. */
  searchFor(query: string) {
    this.search(query);
  }

  searchAgain(search: Pt.Search) {
    if (this.attempt.readOnly) return;
    this.screen.store.set({ query: search.query });
    this.screen.flush();
    this.attempt.query.run(search.query, { rerunOf: search.search_id });
  }

  openResult(result: Pt.OpenPage, stamp: number) {
    const { document, page, search_id = null, via = "result" } = result;
    const { target, painted } = this.viewer;
    const open = target?.document === document && target.page === page;
    if (!open || !painted || (target.search_id ?? null) !== search_id)
      this.viewer.goTo({ document, page, search_id }, via, stamp);
    this.viewer.focusPage();
  }

  /** The next digit opens a result. */
  private openNumberedResult() {
    const results = this.screen.resultsHandle.current;
    const count = Math.min(10, results?.count ?? 0);
    if (!count) return false;
    const text =
      count === 1 ? t("Press 1 to open the result.") : t("Press the number of a result.");
    this.screen.toasts.show({ text }, NEXT_KEY_MS);
    this.expectKey((event, pressed) => {
      this.screen.toasts.hide();
      const digit = digitOf(event) ?? pressed;
      if (!/^\d$/.test(digit)) return false;
      results?.open(Number(digit) || 10, event.timeStamp);
      return true;
    });
    return true;
  }

  openCitation({ document, page, search_id }: Pt.OpenPage, stamp: number) {
    const { target } = this.viewer;
    if (target?.document === document && target.page === page) return;
    this.viewer.goTo({ document, page, search_id }, "citation", stamp);
    this.viewer.focusPage();
  }

  toggleCitation(target: Pt.OpenPage) {
    if (this.attempt.readOnly || !this.data.protocol.evidence.enabled) return;
    const { document, page } = target;
    if (cites(this.data.state, document, page)) this.removeCitation(target);
    else this.attempt.record("citation_added", { document, page, ...this.origin(target) });
  }

  removeCitation({ document, page }: Pt.OpenPage) {
    this.attempt.record("citation_removed", { document, page });
  }

  /** Bookmark a page for all tasks of the batch, or remove its bookmark. */
  toggleBookmark({ document, page }: Pt.Place) {
    const { protocol, review, state } = this.data;
    if (this.attempt.readOnly || !protocol.aids.bookmarks || review) return;
    if (includesPlace(state.bookmarks, { document, page })) {
      this.attempt.record("bookmark_removed", { document, page });
    } else if (state.bookmarks.length >= MAX_BOOKMARKS) {
      const text = t("A batch takes at most {number} bookmarks. Remove one first.", {
        number: MAX_BOOKMARKS,
      });
      this.screen.toast(text);
    } else this.attempt.record("page_bookmarked", { document, page });
  }

  openBookmark({ document, page }: Pt.Place, stamp: number) {
    if (samePlace(this.viewer.target, { document, page })) return;
    this.viewer.goTo({ document, page }, "bookmark", stamp);
    this.viewer.focusPage();
  }

  togglePause() {
    if (!this.data.protocol.clock.pause || this.attempt.readOnly || this.data.review) return;
    this.screen.flush();
    this.attempt.record(this.data.state.paused ? "resumed" : "paused", {});
  }

  async openGuidelines() {
    this.attempt.record("guidelines_opened", {});
    this.screen.store.set({ newGuidelines: false });
    const { campaign, guidelines } = this.data;
    await openGuidelines(this.screen.dialogs, campaign.title, guidelines);
    this.attempt.record("guidelines_closed", {});
  }

  openKeys() {
    void openKeys(this.screen.dialogs, this.workingKeys());
  }

  /** The keys that work now. */
  workingKeys() {
    const { protocol, key_conditions: conditions, label_keys: labelKeys } = this.data;
    const attempt: AttemptKeys = { keys: this.screen.keys, conditions, protocol, labelKeys };
    return keysIn(attempt, this.keyMode());
  }

  keyMode(): Pt.KeyMode {
    const { screen, attempt, data } = this;
    return {
      paused: isPaused(data),
      edits: !attempt.readOnly,
      changes: attempt.mayEdit,
      review: Boolean(data.review),
      page: Boolean(this.viewer.target),
      given: Boolean(data.given_pages?.length),
      drawing: data.tool === "box",
      labels: screen.forms.keyedLabels(),
      proposes: screen.forms.proposes,
      selected: screen.boxes.selected !== null,
      held: screen.boxes.held,
      beside: data.beside !== null,
      selecting: this.viewer.stage.tool === "text",
      patches: screen.work.transcript.openPatches.length > 0 && this.viewer.stage.tool !== "text",
      pans: this.viewer.stage.tool !== "box",
      back: Boolean(this.viewer.before),
      undoable: screen.submission.isUndoable && (attempt.readOnly || !screen.undo.isUsed),
      options: screen.forms.keyedOptions(),
    };
  }

  /** Keep the open page beside others, or put away the one that is. */
  toggleBeside() {
    const { page, beside } = this.data;
    if (!page && !beside) return false;
    this.keepBeside(beside ? null : page);
    return true;
  }

  /** Open the page that is beside, and keep the open one there. */
  swapBeside(stamp: number) {
    const { page, beside } = this.data;
    if (!page || !beside) return false;
    this.keepBeside(page);
    this.viewer.goTo(beside, "beside", stamp);
    return true;
  }

  private keepBeside(page: Pt.Place | null) {
    const beside = page && { document: page.document, page: page.page };
    this.screen.store.set({ beside });
    this.attempt.record("page_beside", beside ?? { document: null, page: null });
    if (!beside) this.viewer.focusPage();
  }

  recentPages() {
    const { page, documents, recent } = this.data;
    const places = recent.filter((place) => !samePlace(place, page));
    if (!places.length) {
      this.viewer.stage.showHint(t("No other page was open in this task yet."));
      return;
    }
    void openRecentPages(this.screen.dialogs, {
      places,
      imageUrl: ({ document, page }) => {
        const info = documents[document];
        return info ? this.attempt.api.pageUrl(info.sha256, page, THUMBNAIL_DPI) : "";
      },
      onOpen: (place) => {
        if (!this.viewer.mayOpen(place)) return;
        this.viewer.goTo(place, "recent");
        this.viewer.focusPage();
      },
    });
  }

  flag() {
    if (this.attempt.readOnly || this.data.review) return;
    openFlag(this.screen.dialogs, {
      comment: this.data.state.flag,
      onFlag: (comment) => this.attempt.record("flagged", { comment }),
      onUnflag: () => this.attempt.record("unflagged", {}),
    });
  }

  goTo(attempt: string) {
    this.attempt.goTo(attempt);
  }

  /** The task before or after; refers to the one being loaded when pressed again meanwhile. */
  step(by: number) {
    const { tasks } = this.data.batch;
    const from = this.data.loading ?? this.attempt.id;
    const here = tasks.findIndex((task) => task.attempt === from);
    const to = tasks[here + by];
    if (to && !to.locked) this.attempt.goTo(to.attempt);
  }

  private registerOwn() {
    const { screen } = this;
    const stage = (run: (stage: Pt.Stage) => void) => () =>
      this.viewer.target && run(this.viewer.stage);
    this.registerAll({
      focusSearch: () => {
        if (!this.data.protocol.search.enabled) return false;
        screen.layout.showContext();
        screen.searchInput.current?.focus();
        return screen.searchInput.current?.select();
      },
      toggleContext: () => screen.layout.showContext(this.data.reading || isCompact(this.data)),
      toggleReading: () => screen.layout.read(!this.data.reading),
      nextResult: () => screen.resultsHandle.current?.move(1) ?? false,
      openResult: () => this.openNumberedResult(),
      previousResult: () => screen.resultsHandle.current?.move(-1) ?? false,
      goToPage: () => (this.viewer.target ? this.viewer.focusPageNumber() : false),
      cite: () => {
        if (!this.data.protocol.evidence.enabled) return false;
        return this.viewer.target ? this.toggleCitation(this.viewer.target) : undefined;
      },
      bookmark: () => {
        if (!this.data.protocol.aids.bookmarks) return false;
        return this.viewer.target ? this.toggleBookmark(this.viewer.target) : undefined;
      },
      focusScratchpad: () => {
        if (!screen.scratchpadInput.current) return false;
        screen.layout.showRight();
        return screen.scratchpadInput.current.focus();
      },
      zoomIn: stage((stage) => stage.zoomStep(1)),
      zoomOut: stage((stage) => stage.zoomStep(-1)),
      fitWidth: () => this.viewer.fit("width"),
      fitPage: () => this.viewer.fit("page"),
      rotate: () => this.viewer.rotate(),
      readOn: (event) => this.viewer.readOn(event),
      beside: () => this.toggleBeside(),
      swapBeside: (event) => this.swapBeside(event.timeStamp),
      recent: () => this.recentPages(),
      lastPlace: (event) => this.viewer.back(event.timeStamp),
      focusAnswer: () => {
        if (this.data.protocol.answer.kind === "off") return false;
        screen.layout.showRight();
        return screen.answerInput.current?.focus();
      },
      submit: () => screen.submission.submit(),
      flag: () => this.flag(),
      skip: () => screen.submission.skip(),
      pause: () => this.togglePause(),
      undoSubmit: () => void screen.submission.undo(),
      nextTask: () => this.step(1),
      previousTask: () => this.step(-1),
      guidelines: () => void this.openGuidelines(),
      help: () => this.openKeys(),
      // A drawing, a box, a tool, then the field: the first of them that there is.
      escape: () => screen.work.numbers.cancel() || screen.boxes.cancel() || this.escape(),
    });
    for (const via of TURNS) {
      this.register(`${via}Page`, (event) => this.viewer.turn(via, event.timeStamp));
    }
  }

  /** Leave the field, so that single keys work again. */
  escape() {
    const { focused } = this.screen;
    if (this.screen.layout.closeDrawers()) {
      this.focusWork();
      return undefined;
    }
    if (this.data.reading) this.screen.layout.read(false);
    else if (focused) this.focusWork();
    else return false;
    return undefined;
  }

  /** The focus goes where no key types: to the open page, or else the question; never nowhere. */
  focusWork() {
    if (this.viewer.target) this.viewer.focusPage();
    else this.screen.questionText.current?.focus({ preventScroll: true });
  }
}
