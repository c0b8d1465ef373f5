/** The workspace screen: its parts, how they are laid out, and what connects them. */

import { h } from "../shared/dom.js";
import { applyTheme } from "../shared/theme.js";
import { installBoxes } from "./boxes/install.js";
import { Commands } from "./commands.js";
import { FormCommands } from "./fields/field_commands.js";
import { Texts } from "./fields/text_drafts.js";
import { Layout, TURNS } from "./panel_visibility.js";
import { placeErrors, showRefusal } from "./problem_places.js";
import { buildScreen } from "./screen_parts.js";
import { listenKeys } from "./shortcuts.js";
import { Attempt } from "./state/attempt.js";
import { createStore } from "./state/store.js";
import { watchStore } from "./store_watchers.js";
import { followHistory, showInAddress } from "./sync/address.js";
import { loadLayout, saveDraft } from "./sync/browser_storage.js";
import { watchPresence } from "./sync/presence.js";
import { WorkScreen } from "./task_modes.js";
import { installReading } from "./viewer/install.js";

const SAVING_AFTER_MS = 250;
const TOAST_MS = 4500;

export class Workspace {
  /** @type {any} */
  stopKeys;

  /** @type {import("./viewer/viewer.js").Viewer} */
  viewer;
  /** @type {import("./search/results.js").Results} */
  results;
  /** @type {import("./panels/batch_panel.js").Sidebar} */
  sidebar;
  /** @type {import("./panels/answer_panel.js").AnswerPanel} */
  panel;
  /** @type {import("./fields/field_panel.js").FormPanel} */
  formPanel;
  /** @type {import("../shared/shown_record.js").ShownRecords} */
  records;
  /** @type {import("./panels/comments.js").Comments} */
  comments;
  /** @type {import("./panels/gold_draft.js").GoldMode} */
  gold;
  /** @type {ReturnType<typeof import("./search/search_bar.js").createSearch>} */
  search;
  /** @type {ReturnType<typeof import("./panels/top_bar.js").createTopBar>} */
  top;
  /** @type {Pt.Actions} */
  fieldActions;
  /** @type {HTMLElement} */
  element;
  /** @type {HTMLElement} */
  centre;
  /** @type {HTMLElement} */
  question;
  /** @type {HTMLElement} */
  questionText;
  /** @type {HTMLElement} */
  brief;
  /** @type {HTMLElement} */
  questionMeta;
  /** @type {HTMLElement} */
  contextToggle;
  /** @type {HTMLElement} */
  resume;
  /** @type {HTMLElement} */
  pauseOverlay;
  /** @type {HTMLElement} */
  toasts;
  /** @type {HTMLElement} */
  dialogs;

  /** @param {ShadowRoot|Element} root @param {Pt.WorkspaceData} data the component's data */
  constructor(root, data) {
    this.root = root;
    this.store = createStore({
      documents: {},
      layout: loadLayout(),
      connection: { kind: "online" },
      pending: 0,
      home: data.home,
      page: null,
      contextOpen: false,
      reading: false,
      results: null,
      recovered: null,
      loading: null,
      timeOver: false,
      newGuidelines: false,
    });
    // Parts of the screen that a refusal or something missing can be about:
    // {error?(message, event), go?()}; fields of a scope take (spec, target, …) before.
    this.places = new Map();
    this.attempt = new Attempt(
      this.store,
      { base: data.base },
      {
        onBoot: (/** @type {Pt.Boot} */ boot, /** @type {any} */ initial) =>
          this.booted(boot, initial),
        beforeLeave: () => this.flush(),
        onText: (/** @type {string} */ name, /** @type {string} */ text) =>
          this.texts.acknowledged(this.attempt.id, name, text),
        onRefusal: (/** @type {Pt.Refusal} */ refusal, /** @type {any} */ event) =>
          showRefusal(this, refusal, event),
        onMessage: (/** @type {string} */ text) => this.toast(text),
        onWritten: (/** @type {number} */ seq) => this.presence?.tell(seq),
      },
    );
    this.texts = new Texts({ seq: () => this.attempt.outbox.seq, onTyping: () => this.showTop() });
    this.commands = new Commands(this);
    this.forms = new FormCommands(this);
    buildScreen(this);
    this.layout = new Layout(this);
    placeErrors(this);
    this.boxes = installBoxes(this);
    installReading(this);
    this.work = new WorkScreen(this);
    watchStore(this);
    this.activate();
    this.attempt.show(data.boot, { initial: true });
  }

  /** A loaded attempt goes on screen. @param {Pt.Boot} boot @param {boolean} initial */
  booted(boot, initial) {
    const { state, protocol, given } = this.store.data;
    const question = this.work.attach(boot.attempt, state);
    const recovered = this.panel.attach(boot.attempt, state) ?? question;
    this.store.set({ recovered });
    this.search.setQuery(boot.results?.query ?? "");
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

  /** @param {Pt.WorkspaceData} workspaceData */
  setAllowed({ protocol, given, locked, review }) {
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

  /** @param {Pt.OpenPage} target */
  opened(target) {
    this.texts.flush(); // the fields on screen are another page's from here on
    this.work.flush();
    this.forms.opened();
    // Keys pressed after turning mean the new page, not a field of the last one.
    if (this.formPanel.page.element.matches(":focus-within")) this.viewer.focusPage();
    const { contextOpen } = this.store.data;
    this.store.set({ page: target, contextOpen: contextOpen && TURNS.has(target.via ?? "") });
    showInAddress(this.store.data);
  }

  showTop() {
    const { data } = this.store;
    if (!data.state) return;
    const queued = this.attempt.outbox?.queue.length ?? 0;
    const unsaved = this.texts.dirty || this.work.dirty || data.pending > 0;
    const { leftOpen: left, rightOpen: right } = this.layout;
    this.top.update(data, { unsaved: unsaved || Boolean(this.slow), left, right });
    clearTimeout(this.slowTimer);
    if (queued && !this.slow) {
      this.slowTimer = setTimeout(() => {
        this.slow = (this.attempt.outbox?.queue.length ?? 0) > 0;
        if (this.slow) this.showTop();
      }, SAVING_AFTER_MS);
    } else if (!queued && this.slow) {
      this.slow = false;
      this.showTop();
    }
  }

  /** @param {string} use */
  recover(use) {
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
    this.work.flush();
  }

  /**
   * A short message at the bottom; read out by screen readers.
   * @param {string} text
   * @param {{ms?: number, actions?: HTMLElement[]}} [options] how long it stays, and buttons
   */
  toast(text, { ms = TOAST_MS, actions = [] } = {}) {
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

  /** Streamlit ran again. @param {Pt.WorkspaceData} data @param {any} previous */
  rerun(data, previous) {
    applyTheme(this.element);
    this.store.set({ home: data.home });
    if (!this.presence) {
      this.activate();
      if (this.store.data.state.hidden) this.attempt.record("tab_shown", {});
    }
    if (data.reply && data.reply !== previous.reply) this.attempt.fallback.deliver(data.reply);
    const { boot } = data;
    if (boot.attempt === this.attempt.id) {
      this.attempt.api.use(boot.attempt, boot.token, boot.practice);
    } else if (boot.attempt !== previous.boot.attempt) {
      this.flush();
      this.attempt.show(boot);
    }
  }
}
