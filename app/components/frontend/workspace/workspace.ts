/** The workspace screen: its parts, how they are laid out, and what connects them. */

import { effect, untracked } from "@preact/signals";
import { createElement, createRef, render } from "preact";
import { listenToClipboard } from "../shared/clipboard";
import { type ToastAction, Toasts } from "../shared/components/Toast";
import { setAttr } from "../shared/dom";
import { printKeys } from "../shared/keys";
import { createStore } from "../shared/store";
import { applyTheme } from "../shared/theme";
import type { BoxCommands } from "./boxes/box_commands";
import { installBoxes } from "./boxes/install";
import { Commands } from "./commands";
import { FormCommands } from "./fields/field_commands";
import { Texts } from "./fields/text_drafts";
import {
  isPaused,
  isRightOpen,
  Layout,
  TURNS,
  watchWindowSize,
  windowSize,
} from "./panel_visibility";
import { CalculatorCommands } from "./panels/calculator_commands";
import { CommentCommands } from "./panels/comment_commands";
import { openTour } from "./panels/Tour";
import { type ProblemPlace, placeErrors, showRefusal } from "./problem_places";
import { pageLook } from "./readiness/judged_units";
import { ScreenReadiness } from "./readiness/look_reports";
import type { ResultsHandle } from "./search/Results";
import { listenKeys } from "./shortcuts";
import { Attempt } from "./state/attempt";
import { isReadOnly } from "./state/attempt_state";
import { arePagesClosed } from "./state/form_state";
import { Submission } from "./submission";
import { followBrowserHistory, showPageInAddress, showTaskInAddress } from "./sync/address";
import { canStoreWork, hasWorkInMemory, loadLayout, saveDraft } from "./sync/browser_storage";
import { watchPresence } from "./sync/presence";
import { WorkScreen } from "./task_modes";
import { UndoCommands } from "./undo_commands";
import { allowedPages } from "./viewer/allowed_pages";
import { installCopying } from "./viewer/copy_to_answer";
import { DocumentSearch } from "./viewer/document_search";
import { withRecent } from "./viewer/RecentPages";
import { SpokenText } from "./viewer/spoken_text";
import { Viewer } from "./viewer/viewer";
import { WorkspaceScreen } from "./WorkspaceScreen";

const SAVING_AFTER_MS = 250;

type Root = ShadowRoot | HTMLElement;

export class Workspace {
  readonly store: Pt.Store;
  /** Parts of the screen that a refusal or something missing can be about, by name. */
  readonly places = new Map<string, ProblemPlace>();
  readonly toasts = new Toasts();
  /** where dialogs are put */
  readonly dialogs = Object.assign(document.createElement("div"), { className: "dialogs" });
  readonly element = createRef<HTMLDivElement>();
  readonly questionText = createRef<HTMLParagraphElement>();
  readonly searchInput = createRef<HTMLInputElement>();
  readonly resultsHandle = createRef<ResultsHandle>();
  readonly answerInput = createRef<HTMLTextAreaElement>();
  readonly calculatorInput = createRef<HTMLInputElement>();
  readonly scratchpadInput = createRef<HTMLTextAreaElement>();
  readonly questionInput = createRef<HTMLTextAreaElement>();
  readonly attempt: Attempt;
  readonly readiness: ScreenReadiness;
  readonly texts: Texts;
  readonly layout: Layout;
  readonly submission: Submission;
  readonly commands: Commands;
  readonly forms: FormCommands;
  readonly comments: CommentCommands;
  readonly viewer: Viewer;
  readonly boxes: BoxCommands;
  readonly calculator: CalculatorCommands;
  readonly find: DocumentSearch;
  readonly spoken: SpokenText;
  readonly work: WorkScreen;
  readonly undo: UndoCommands;
  private readonly host = Object.assign(document.createElement("div"), { className: "mounted" });
  private presence: ReturnType<typeof watchPresence> | null = null;
  private stops: (() => void)[] = [];
  private beginsWithTour = false;
  /** Whether events have been waiting to be sent for longer than `SAVING_AFTER_MS`. */
  private isSavingSlow = false;
  private savingTimer = 0;

  readonly keys: Pt.ScreenKey[];

  constructor(
    readonly root: Root,
    data: Pt.WorkspaceScreenData,
  ) {
    this.keys = data.keys;
    printKeys(data.keys);
    this.store = createStore<Pt.WorkspaceData>(initialValues(data));
    this.attempt = new Attempt(
      this.store,
      { base: data.base },
      {
        onBoot: (boot, initial) => this.booted(boot, initial),
        beforeLeave: () => this.flush(),
        onText: (name, text) => this.texts.acknowledged(this.attempt.id, name, text),
        onRefusal: (refusal, event) => showRefusal(this, refusal, event),
        onMessage: (text) => this.toast(text),
        onCaughtUp: () => this.work.transcript.caughtUp(),
        onWritten: (seq) => this.presence?.reportWritten(seq),
        onResults: (results) => this.fetchFirst(results),
      },
    );
    this.readiness = new ScreenReadiness(this.store, this.dialogs, (hint) => this.tell(hint));
    this.texts = new Texts({
      seq: () => this.attempt.outbox.seq,
      attempt: () => this.attempt.id,
      onTyping: () => this.noteUnsaved(),
    });
    this.layout = new Layout(this.store);
    this.submission = this.createSubmission();
    this.commands = new Commands(this);
    this.comments = new CommentCommands(this.attempt);
    this.viewer = this.createViewer();
    placeErrors(this);
    this.boxes = installBoxes(this);
    this.forms = new FormCommands({
      attempt: this.attempt,
      boxes: this.boxes,
      commands: this.commands,
      layout: this.layout,
      readiness: this.readiness,
      viewer: this.viewer,
      places: this.places,
      goToTable: (field) => this.work.records.goTo(field),
    });
    installCopying(this);
    this.calculator = new CalculatorCommands(this);
    this.find = new DocumentSearch(this);
    this.spoken = new SpokenText(this);
    this.work = new WorkScreen(this);
    this.undo = this.createUndo();
    this.root.append(this.host);
    this.activate();
    this.beginsWithTour = data.tour;
    this.attempt.show(data.boot, { initial: true });
    this.followStore();
    if (this.store.data.touring) void this.tour(data.boot);
  }

  private createSubmission() {
    const { attempt, layout, toasts, dialogs } = this;
    return new Submission({
      attempt,
      layout,
      toasts,
      dialogs,
      flush: () => this.flush(),
      isReady: (outcome) => this.work.isReady(outcome),
      goTo: (part) => this.forms.goTo(part),
      showFeedback: (id) => this.work.pilot.show(id),
    });
  }

  private createUndo() {
    const { attempt, boxes, forms, viewer, places, commands } = this;
    const history = new UndoCommands({
      attempt,
      boxes,
      forms,
      records: this.work.records,
      transcript: this.work.transcript,
      viewer,
      places,
      flush: () => this.flush(),
      say: (text) => this.toast(text),
    });
    commands.registerAll({ undo: () => history.undo(), redo: () => history.redo() });
    return history;
  }

  private createViewer() {
    const { commands } = this;
    return new Viewer({
      pageUrl: (sha: string, page: number, dpi: number) => this.attempt.api.pageUrl(sha, page, dpi),
      documentInfo: (name: string) => this.attempt.documentInfo(name),
      onOpen: (target: Pt.OpenPage) => this.opened(target),
      onPainted: (target: Pt.PaintedPage) => commands.painted(target),
      onRefused: (target: Pt.PaintedPage) => this.readiness.pagePainted(target),
      onView: (view: Pt.View) => commands.viewChanged(view),
      highlights: (target: Pt.OpenPage) => commands.highlights(target),
    });
  }

  /** The result that Enter opens is there when it is opened. */
  private fetchFirst([first]: Pt.SearchHit[]) {
    if (first && !arePagesClosed(this.store.data)) this.viewer.fetchAhead(first);
  }

  /** Effects of the store outside of components. */
  private followStore() {
    const { store } = this;
    const { tracked } = store;
    let wasPaused = false;
    effect(() => {
      const paused = isPaused(tracked);
      if (paused === wasPaused) return;
      wasPaused = paused;
      this.attempt.clock.setRunning(!paused && !isReadOnly(tracked.state) && !document.hidden);
    });
    effect(() => {
      const page = store.page.value;
      const isReady = page ? this.readiness.ready([pageLook(page)]).value : null;
      setAttr(this.viewer.stage.pane, "data-verdict-ready", isReady);
    });
    effect(() => {
      // Somebody searched for another page.
      if (store.results.value && store.data.page) untracked(() => this.layout.showContext());
    });
    effect(() => {
      // The length of the outbox may change whenever one of these does.
      for (const key of ["state", "connection", "pending", "savedAt", "batch"] as const)
        store[key].value;
      untracked(() => this.noteUnsaved());
    });
  }

  /** What has the focus, if it is on this screen. */
  get focused() {
    const { activeElement } = this.host.getRootNode() as Document | ShadowRoot;
    return this.host.contains(activeElement) ? activeElement : null;
  }

  /** A loaded attempt goes on screen. */
  private booted(boot: Pt.AttemptPayload, initial: boolean) {
    if (initial) {
      this.store.set({ touring: this.beginsWithTour && this.mayTour(boot) });
      render(createElement(WorkspaceScreen, { workspace: this }), this.host);
    }
    const { state, touring } = this.store.data;
    this.comments.attach();
    this.undo.opened();
    this.work.restoreContents(boot.attempt, state);
    this.store.set({ query: boot.results?.query ?? "", calculation: "" });
    // Nothing of the task before may ask for its page again, with this task's token.
    this.viewer.close();
    this.readiness.pageLeft();
    this.viewer.setAllowed(allowedPages(this.store.data));
    this.viewer.restoreView(state.view);
    if (!touring) this.openFirstPage(boot);
    this.work.replay.begin();
    this.store.set({ reading: false });
    this.layout.closeDrawers();
    showTaskInAddress(this.store.data);
    this.tick();
    // A screen that was opened by a click or a link leaves the focus nowhere.
    if (!initial || document.activeElement === document.body) this.focusFirst();
  }

  /** The page of the link, the last one read, or the first of those that the task gives. */
  private openFirstPage(boot: Pt.AttemptPayload) {
    const { state, protocol, given_pages: given } = this.store.data;
    const { position } = state;
    const { link } = boot;
    const firstCitation = boot.review ? state.citations[0] : null;
    const isLastRead = link && position?.document === link.document && position?.page === link.page;
    if (link && !isLastRead && this.viewer.mayOpen(link)) this.viewer.goTo(link, "link");
    else if (position && this.viewer.mayOpen(position)) this.viewer.goTo(position, "restored");
    else if (given?.length && !protocol.search.enabled && !this.forms.closed)
      this.viewer.goTo(given[0], "given");
    else if (firstCitation) this.viewer.goTo(firstCitation, "citation");
  }

  /** Not where the tour would count as work on the task. */
  private mayTour({ protocol, practice, review }: Pt.AttemptPayload) {
    return !this.attempt.readOnly && !review && (protocol.clock.pause || practice);
  }

  /** Show what is where; meanwhile the clock is paused, and nothing of the task can be read. */
  private async tour(boot: Pt.AttemptPayload) {
    const { attempt, store } = this;
    if (boot.protocol.clock.pause && !store.data.state.paused) attempt.record("paused", {});
    await openTour(this.dialogs, store.data, this.element);
    void attempt.api.endTour().catch(() => {}); // it is shown once more then
    store.set({ touring: false });
    if (attempt.id !== boot.attempt) return;
    if (store.data.state.paused) attempt.record("resumed", {});
    this.openFirstPage(boot);
    if (this.focusOpenQuestion()) return;
    if (store.data.page) this.commands.focusWork();
    else this.focusFirst();
  }

  /**
   * Give the focus to the first open question or row whose keys are printed on it.
   * @returns whether there is one
   */
  private focusOpenQuestion() {
    const { store, forms, work } = this;
    if (work.replay.focusOpenMark()) return true;
    return isRightOpen(store.data) && (forms.focusQuestion() || work.records.focusNext());
  }

  /** Where a task begins: what is asked first, in the search box, or else at the question. */
  private focusFirst() {
    if (this.focusOpenQuestion()) return;
    const { page, protocol } = this.store.data;
    const { search, question } = protocol;
    const beginsWithSearch =
      search.enabled && question.kind !== "editable" && !page && this.attempt.mayEdit;
    // On a touch screen the focus would bring up a keyboard that covers the question.
    const focusesSearch = beginsWithSearch && matchMedia("(pointer: fine)").matches;
    const target = focusesSearch ? this.searchInput.current : this.questionText.current;
    target?.focus({ preventScroll: true });
  }

  private opened(target: Pt.OpenPage) {
    this.texts.flush(); // the fields on screen are another page's from here on
    this.readiness.pageLeft();
    // Keys pressed after turning mean the new page, not a field of the last one.
    if (this.forms.pageFields.current?.matches(":focus-within")) this.viewer.focusPage();
    const { contextOpen, recent } = this.store.data;
    this.store.set({
      page: target,
      recent: withRecent(recent, target),
      contextOpen: contextOpen && TURNS.has(target.via ?? ""),
    });
    showPageInAddress(this.store.data);
  }

  /** Update whether there are unsaved changes. Events being sent count only after a delay. */
  noteUnsaved() {
    const { data } = this.store;
    if (!data.state) return;
    const queued = this.attempt.outbox?.queue.length ?? 0;
    const dirty = this.texts.dirty || data.pending > 0;
    this.store.set({ unsaved: dirty || this.isSavingSlow });
    this.noteStorage();
    window.clearTimeout(this.savingTimer);
    if (queued && !this.isSavingSlow) {
      this.savingTimer = window.setTimeout(() => {
        this.isSavingSlow = (this.attempt.outbox?.queue.length ?? 0) > 0;
        if (this.isSavingSlow) this.noteUnsaved();
      }, SAVING_AFTER_MS);
    } else if (!queued && this.isSavingSlow) {
      this.isSavingSlow = false;
      this.noteUnsaved();
    }
  }

  /** Whether what was typed in a text box is the browser's to undo: it is not recorded yet. */
  private hasTyping(element: Element) {
    if (element.closest("[data-testid=field]")) return this.texts.dirty;
    const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return isText && (this.texts.of(element)?.dirty ?? element.value !== "");
  }

  /** Say whether this browser keeps work; where it does not, closing the tab asks first. */
  private noteStorage() {
    const inMemory = hasWorkInMemory();
    const keepsWork = !inMemory && (this.store.data.keepsWork || canStoreWork());
    this.store.set({ keepsWork });
    if (inMemory) window.addEventListener("beforeunload", askBeforeLeaving);
    else window.removeEventListener("beforeunload", askBeforeLeaving);
  }

  /** Offer a text that was typed in this browser and lost against newer work; one at a time. */
  offerText(field: string, text: string) {
    if (!this.store.data.recovered) this.store.set({ recovered: { field, text } });
  }

  recover(use: boolean) {
    const { recovered, attempt } = this.store.data;
    if (!recovered) return;
    if (use) this.texts.get(recovered.field)?.use(recovered.text);
    else saveDraft(attempt, recovered.field, null);
    this.store.set({ recovered: null });
  }

  /** Hand over what is typed or moved and not recorded yet. */
  flush() {
    this.texts.flush();
    this.boxes.flush();
  }

  /**
   * A short message at the bottom; read out by screen readers.
   * @param options how long it stays, and buttons
   */
  toast(text: string, { ms, actions }: { ms?: number; actions?: ToastAction[] } = {}) {
    this.toasts.show({ text, actions }, ms);
  }

  /** Say why a key or click did nothing: on the page, or at the bottom where none is open. */
  private tell(text: string) {
    if (this.viewer.target) this.viewer.stage.showHint(text);
    else this.toast(text);
  }

  private tick() {
    this.noteStorage();
    const { clock, limit, readOnly } = this.attempt;
    if (limit.over && !readOnly && !this.store.data.timeOver) this.flush();
    const { value: worked, idle: isIdle } = clock;
    this.store.set({
      timeOver: limit.over,
      workingTime: { worked, isIdle, isStopped: !clock.running, left: limit.left },
    });
  }

  /** Attach the global listeners. */
  private activate() {
    if (this.presence) return;
    const listening = new AbortController();
    this.readiness.listen(listening.signal);
    this.presence = watchPresence(this.attempt, {
      flushFields: () => this.flush(),
      onTick: () => this.tick(),
      onOnline: () => this.viewer.retry(),
      stopIfGone: () => {
        if (this.host.isConnected) return false;
        this.deactivate();
        return true;
      },
    });
    const stopKeys = listenKeys({
      root: this.root,
      action: (name) => this.commands.action(name),
      working: () => this.commands.workingKeys(),
      hasTyping: (element) => this.hasTyping(element),
      takeNextKey: () => this.commands.takeNextKey(),
      blocked: () => !this.host.isConnected || Boolean(this.dialogs.querySelector("dialog[open]")),
      foreign: (event) => {
        const path = event.composedPath();
        if (path.includes(this.root)) return false;
        const target = path[0];
        return (
          target instanceof Element &&
          target.matches(
            "input, textarea, select, [contenteditable], [role=dialog] *, [role=menu] *",
          )
        );
      },
    });
    const stopWindow = watchWindowSize((windowSize) => this.store.set({ windowSize }));
    const stopCopying = listenToClipboard("copy", (event, focused) => {
      if (!focused || this.root.contains(focused)) this.boxes.text.copy(event, focused);
    });
    this.stops = [
      followBrowserHistory(this.attempt, this.viewer),
      stopKeys,
      stopWindow,
      stopCopying,
      () => listening.abort(),
    ];
  }

  /** The screen was taken away: hand over what is left, drop the global listeners. */
  deactivate() {
    if (!this.presence) return;
    this.flush();
    if (!this.store.data.state.hidden) this.attempt.record("tab_hidden", {});
    for (const stop of this.stops) stop();
    this.presence.stop();
    this.presence = null;
  }

  /** Streamlit ran again, with new data or the same. */
  receive(data: Pt.WorkspaceScreenData, previous: Pt.WorkspaceScreenData | undefined) {
    if (this.element.current) applyTheme(this.element.current);
    this.store.set({ home: data.home });
    if (!this.presence) {
      this.activate();
      if (this.store.data.state.hidden) this.attempt.record("tab_shown", {});
    }
    if (data.reply && data.reply !== previous?.reply) this.attempt.fallback.deliver(data.reply);
    const { boot } = data;
    if (boot.attempt === this.attempt.id) {
      this.attempt.api.use(boot.attempt, boot.token, boot.practice);
    } else if (
      boot.attempt !== previous?.boot.attempt &&
      boot.attempt !== this.store.data.loading
    ) {
      this.flush();
      this.attempt.show(boot);
    }
  }
}

const askBeforeLeaving = (event: Event) => event.preventDefault();

/** The rest comes with the attempt, which is in the store before any component is mounted. */
function initialValues({ home, keys }: Pt.WorkspaceScreenData): Pt.WorkspaceData {
  const known: Partial<Pt.WorkspaceData> = {
    documents: {},
    layout: loadLayout(),
    windowSize: windowSize(),
    leftDrawer: false,
    rightDrawer: false,
    connection: { kind: "online" },
    pending: 0,
    unsaved: false,
    waiting: new Map(),
    keepsWork: canStoreWork(),
    home,
    keys,
    page: null,
    contextOpen: false,
    reading: false,
    touring: false,
    results: null,
    calculation: "",
    recovered: null,
    reply: { text: "", error: "" },
    loading: null,
    timeOver: false,
    workingTime: { worked: 0, isIdle: false, isStopped: false, left: null },
    newGuidelines: false,
    fieldProblems: new Map(),
    focusRequest: null,
    keyedField: null,
    currentPatch: null,
    steps: null,
  };
  return known as Pt.WorkspaceData;
}
