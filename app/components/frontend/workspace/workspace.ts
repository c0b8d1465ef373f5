/** The workspace screen: its parts, how they are laid out, and what connects them. */

import { createRef } from "preact";
import { h } from "../shared/dom";
import type { ShownRecords } from "../shared/shown_record";
import { createStore } from "../shared/store";
import { applyTheme } from "../shared/theme";
import type { BoxTool } from "./boxes/box_commands";
import { installBoxes } from "./boxes/install";
import { Commands } from "./commands";
import { FormCommands } from "./fields/field_commands";
import { Texts } from "./fields/text_drafts";
import { mountComponents } from "./mount_components";
import { Layout, TURNS } from "./panel_visibility";
import type { Sidebar } from "./panels/batch_panel";
import { CommentCommands } from "./panels/comment_commands";
import type { GoldMode } from "./panels/gold_draft";
import { placeErrors, showRefusal } from "./problem_places";
import { buildScreen } from "./screen_parts";
import type { ResultsHandle } from "./search/Results";
import { listenKeys } from "./shortcuts";
import { Attempt } from "./state/attempt";
import { watchStore } from "./store_watchers";
import { followHistory, showInAddress } from "./sync/address";
import { loadLayout, saveDraft } from "./sync/browser_storage";
import { watchPresence } from "./sync/presence";
import { WorkScreen } from "./task_modes";
import { installReading } from "./viewer/install";
import type { Viewer } from "./viewer/viewer";

const SAVING_AFTER_MS = 250;
const TOAST_MS = 4500;

export class Workspace {
  root: ShadowRoot | Element;
  store: Pt.Store;
  places: Map<any, any>;
  attempt: Attempt;
  texts: Texts;
  commands: Commands;
  forms: FormCommands;
  talk: CommentCommands;
  layout: Layout;
  boxes: BoxTool;
  /** holds the bar of boxes */
  readonly boxBar = h("div", { class: "mounted" });
  work: WorkScreen;
  slowTimer: number | undefined;
  slow: boolean | undefined;
  presence: { stop: () => void; tell: (seq: number) => void } | null | undefined;
  stopHistory: (() => void) | undefined;

  stopKeys: any;

  readonly keys: Pt.ScreenKey[];

  viewer!: Viewer;
  results!: HTMLElement;
  resultsHandle = createRef<ResultsHandle>();
  sidebar!: Sidebar;
  panel!: HTMLElement;
  answerInput = createRef<HTMLTextAreaElement>();
  records!: ShownRecords;
  comments!: HTMLElement;
  gold!: GoldMode;
  search!: HTMLElement;
  searchInput = createRef<HTMLInputElement>();
  topBar!: HTMLElement;
  banners!: HTMLElement;
  element!: HTMLElement;
  centre!: HTMLElement;
  question!: HTMLElement;
  questionText!: HTMLElement;
  brief!: HTMLElement;
  questionMeta!: HTMLElement;
  contextToggle!: HTMLElement;
  resume!: HTMLElement;
  pauseOverlay!: HTMLElement;
  toasts!: HTMLElement;
  dialogs!: HTMLElement;

  constructor(root: ShadowRoot | HTMLElement, data: Pt.WorkspaceScreenData) {
    this.root = root;
    this.keys = data.keys;
    // The rest comes with the attempt, which is shown before any component is mounted.
    this.store = createStore<Pt.WorkspaceData>({
      documents: {},
      layout: loadLayout(),
      connection: { kind: "online" },
      pending: 0,
      unsaved: false,
      leftOpen: true,
      rightOpen: true,
      home: data.home,
      page: null,
      contextOpen: false,
      reading: false,
      results: null,
      recovered: null,
      loading: null,
      timeOver: false,
      newGuidelines: false,
      fieldProblems: new Map() as Pt.WorkspaceData["fieldProblems"],
      focusRequest: null,
      steps: null,
    } as Pt.WorkspaceData);
    // Parts of the screen that a refusal or something missing can be about:
    // {error?(message, event), go?()}; fields of a scope take (spec, target, …) before.
    this.places = new Map();
    this.attempt = new Attempt(
      this.store,
      { base: data.base },
      {
        onBoot: (boot: Pt.AttemptPayload, initial: any) => this.booted(boot, initial),
        beforeLeave: () => this.flush(),
        onText: (name: string, text: string) =>
          this.texts.acknowledged(this.attempt.id, name, text),
        onRefusal: (refusal: Pt.EventRefusal, event: any) => showRefusal(this, refusal, event),
        onMessage: (text: string) => this.toast(text),
        onWritten: (seq: number) => this.presence?.tell(seq),
      },
    );
    this.texts = new Texts({
      seq: () => this.attempt.outbox.seq,
      attempt: () => this.attempt.id,
      onTyping: () => this.noteUnsaved(),
    });
    this.commands = new Commands(this);
    this.forms = new FormCommands(this);
    this.talk = new CommentCommands(this.attempt);
    buildScreen(this);
    this.layout = new Layout(this);
    placeErrors(this);
    this.boxes = installBoxes(this);
    installReading(this);
    this.work = new WorkScreen(this);
    watchStore(this);
    this.activate();
    this.attempt.show(data.boot, { initial: true });
    mountComponents(this);
  }

  /** A loaded attempt goes on screen. */
  booted(boot: Pt.AttemptPayload, initial: boolean) {
    const { state, protocol, given } = this.store.data;
    this.talk.attach();
    const question = this.work.attach(boot.attempt, state);
    if (question) this.offerText(question.field, question.text);
    this.store.set({ query: boot.results?.query ?? "" });
    // Nothing of the task before may ask for its page again, with this task's token.
    this.viewer.close();
    this.setAllowed(this.store.data);
    this.viewer.restoreView(state.view);
    const { position } = state;
    const { link } = boot;
    const start = boot.review ? state.citations[0] : null;
    const same = link && position?.document === link.document && position?.page === link.page;
    if (link && !same && this.viewer.mayOpen(link)) this.viewer.goTo(link, "link");
    else if (position && this.viewer.mayOpen(position)) this.viewer.goTo(position, "restored");
    else if (given?.length && !protocol.search.enabled && !this.forms.closed)
      this.viewer.goTo(given[0], "given");
    else if (start) this.viewer.goTo(start, "citation");
    this.work.replay.begin();
    this.store.set({ reading: false });
    this.layout.show(this.store.data);
    this.layout.closeDrawers();
    this.layout.toTop();
    showInAddress(this.store.data);
    this.tick();
    // A screen that was opened by a click or a link leaves the focus nowhere.
    if (!initial || document.activeElement === document.body)
      this.questionText.focus({ preventScroll: true });
  }

  setAllowed({ protocol, given, locked, review }: Pt.WorkspaceData) {
    // Who makes gold need not have found its pages by searching.
    const anywhere = (protocol.browse || (review && !given)) && !locked.length;
    this.viewer.setAllowed(anywhere ? null : (given ?? this.found()));
  }

  /** The pages that searches have found, for protocols without browsing. */
  found() {
    return this.store.data.state.searches.flatMap(({ results }) =>
      results.map(([document, page]) => ({ document, page })),
    );
  }

  opened(target: Pt.OpenPage) {
    this.texts.flush(); // the fields on screen are another page's from here on
    this.forms.opened();
    // Keys pressed after turning mean the new page, not a field of the last one.
    if (this.forms.pageFields.current?.matches(":focus-within")) this.viewer.focusPage();
    const { contextOpen } = this.store.data;
    this.store.set({ page: target, contextOpen: contextOpen && TURNS.has(target.via ?? "") });
    showInAddress(this.store.data);
  }

  /** Say whether everything is stored; what is sent at once is called unsaved after a while only. */
  noteUnsaved() {
    const { data } = this.store;
    if (!data.state) return;
    const queued = this.attempt.outbox?.queue.length ?? 0;
    const dirty = this.texts.dirty || data.pending > 0;
    this.store.set({ unsaved: dirty || Boolean(this.slow) });
    clearTimeout(this.slowTimer);
    if (queued && !this.slow) {
      this.slowTimer = setTimeout(() => {
        this.slow = (this.attempt.outbox?.queue.length ?? 0) > 0;
        if (this.slow) this.noteUnsaved();
      }, SAVING_AFTER_MS);
    } else if (!queued && this.slow) {
      this.slow = false;
      this.noteUnsaved();
    }
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
  toast(
    text: string,
    { ms = TOAST_MS, actions = [] }: { ms?: number; actions?: HTMLElement[] } = {},
  ) {
    const toast = h("div", { class: "toast line", testid: "toast" }, text, ...actions);
    this.toasts.replaceChildren(toast);
    setTimeout(() => toast.remove(), ms);
  }

  tick() {
    const { clock, limit, readOnly } = this.attempt;
    if (limit.over && !readOnly && !this.store.data.timeOver) this.flush();
    this.store.set({ timeOver: limit.over });
    this.sidebar.tick(clock, limit, readOnly);
  }

  /** Attach the global listeners. */
  activate() {
    if (this.presence) return;
    this.presence = watchPresence(this.attempt, {
      flushFields: () => this.flush(),
      onTick: () => this.tick(),
      onOnline: () => this.viewer.retry(),
      gone: () => {
        if (this.element.isConnected) return false;
        this.deactivate();
        return true;
      },
    });
    this.stopHistory = followHistory(this);
    this.stopKeys = listenKeys({
      root: this.root,
      action: (name) => this.commands.action(name),
      working: () => this.commands.workingKeys(),
      blocked: () =>
        !this.element.isConnected || Boolean(this.dialogs.querySelector("dialog[open]")),
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
  }

  /** The screen was taken away: hand over what is left, drop the global listeners. */
  deactivate() {
    if (!this.presence) return;
    this.flush();
    if (!this.store.data.state.hidden) this.attempt.record("tab_hidden", {});
    this.stopKeys();
    this.stopHistory?.();
    this.presence.stop();
    this.presence = null;
  }

  /** Streamlit ran again. */
  rerun(data: Pt.WorkspaceScreenData, previous: Pt.WorkspaceScreenData | undefined) {
    applyTheme(this.element);
    this.store.set({ home: data.home });
    if (!this.presence) {
      this.activate();
      if (this.store.data.state.hidden) this.attempt.record("tab_shown", {});
    }
    if (data.reply && data.reply !== previous?.reply) this.attempt.fallback.deliver(data.reply);
    const { boot } = data;
    if (boot.attempt === this.attempt.id) {
      this.attempt.api.use(boot.attempt, boot.token, boot.practice);
    } else if (boot.attempt !== previous?.boot.attempt) {
      this.flush();
      this.attempt.show(boot);
    }
  }
}
