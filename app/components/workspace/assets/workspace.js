/** The workspace screen: its parts, how they are laid out, and what connects them. */

import { AnswerPanel } from "./answer.js";
import { Attempt } from "./attempt.js";
import { Commands } from "./commands.js";
import { h, setText } from "./dom.js";
import { cites, isReadOnly } from "./fold.js";
import { icon } from "./icons.js";
import { listenKeys } from "./keys.js";
import { Layout } from "./layout.js";
import { loadLayout, saveDraft } from "./persist.js";
import { watchPresence } from "./presence.js";
import { Results } from "./results.js";
import { createSearch } from "./search.js";
import { Sidebar } from "./sidebar.js";
import { createStore } from "./store.js";
import { applyTheme } from "./theme.js";
import { createTopBar } from "./topbar.js";
import { Viewer } from "./viewer.js";

const SAVING_AFTER_MS = 250;
const TOAST_MS = 4500;

export class Workspace {
  /**
   * @param {ShadowRoot|Element} root
   * @param {Object} data the component's data
   */
  constructor(root, data) {
    this.root = root;
    this.store = createStore({
      documents: {}, layout: loadLayout(), connection: { kind: "online" }, pending: 0,
      home: data.home, page: null, results: null, recovered: null, loading: null,
    });
    this.attempt = new Attempt(
      this.store,
      { base: data.base },
      {
        onBoot: (boot, initial) => this.booted(boot, initial),
        beforeLeave: () => this.panel.flush(),
        onText: (field, text) => this.panel[field].acknowledged(text),
        onRefusal: (refusal, event) => this.refused(refusal, event),
        onMessage: (text) => this.toast(text),
        onWritten: (seq) => this.presence?.tell(seq),
      },
    );
    this.commands = new Commands(this);
    this.layout = new Layout(this);
    this.build();
    this.watch();
    this.activate();
    this.attempt.show(data.boot, { initial: true });
  }

  build() {
    const { commands } = this;
    this.viewer = new Viewer({
      pageUrl: (sha, page, dpi) => this.attempt.api.pageUrl(sha, page, dpi),
      documentInfo: (name) => this.attempt.documentInfo(name),
      onOpen: (target) => this.opened(target),
      onPainted: (target) => commands.painted(target),
      onView: (view) => commands.viewChanged(view),
      onCite: (target) => commands.toggleCitation(target),
      onRail: (open) => this.layout.set({ rail: open }),
      highlights: (target) => commands.highlights(target),
    });
    this.search = createSearch({
      run: (query) => commands.search(query),
      toResults: () => this.results.move(1),
    });
    this.results = new Results({
      open: (result, stamp) => commands.openResult(result, stamp),
      thumbnail: (document, page) => {
        const info = this.store.data.documents[document];
        return info ? this.attempt.api.pageUrl(info.sha256, page, 75) : null;
      },
      info: (document) => this.store.data.documents[document] ?? null,
      runSuggestion: (query) => {
        this.search.setQuery(query);
        commands.search(query);
      },
      onCollapse: (collapsed) => this.layout.set({ resultsCollapsed: collapsed }),
    });
    this.sidebar = new Sidebar(commands);
    this.panel = new AnswerPanel({
      submit: (outcome) => commands.submit(outcome),
      skip: () => commands.skip(),
      flag: () => commands.flag(),
      next: () => commands.step(1),
      previous: () => commands.step(-1),
      commit: (field, text) => this.attempt.record(`${field}_edited`, { text }),
      seq: () => this.attempt.outbox.seq,
      onTyping: () => this.showTop(),
    });
    this.top = createTopBar({
      toggleLeft: () => this.layout.toggleLeft(),
      toggleRight: () => this.layout.set({ right: this.store.data.layout.right === false }),
      reopen: () => commands.reopen(),
      recover: (use) => this.recover(use),
      loginUrl: () => this.attempt.api.loginUrl(),
    });
    this.questionText = h("p", { class: "question-text", testid: "question", tabindex: "-1" });
    this.questionMeta = h("p", { class: "question-meta" });
    this.question = h("section", { class: "question", "aria-label": "Question" }, this.questionMeta, this.questionText);
    this.centre = h(
      "main",
      { class: "centre" },
      this.top.element, this.top.banners, this.question, this.search.element, this.results.element,
      this.viewer.element,
    );
    this.resume = h("button", {
      type: "button", class: "button primary", testid: "resume", text: "Resume",
      on: { click: () => commands.pause() },
    });
    this.pauseOverlay = h(
      "div",
      { class: "pause-overlay", testid: "pause-overlay", role: "dialog", "aria-label": "Paused", hidden: true },
      h("div", { class: "pause-box" }, icon("pause"), h("p", { text: "Paused. The clock stands still." }), this.resume),
    );
    this.toasts = h("div", { class: "toasts", role: "status", testid: "toasts" });
    this.dialogs = h("div", { class: "dialogs" });
    this.element = h(
      "div",
      { class: "pt", testid: "workspace", lang: "en" },
      this.sidebar.element, this.centre, this.panel.element,
      this.pauseOverlay, this.toasts, this.dialogs,
    );
    this.root.append(this.element);
    applyTheme(this.element);
  }

  watch() {
    const { store } = this;
    const on = (keys, handler) => store.watch(keys, (data) => data.state && handler(data));
    on(["batch", "state", "attempt", "documents", "page", "loading", "home"], (data) => this.sidebar.update(data));
    on(["state", "protocol", "batch", "attempt", "connection"], (data) => this.panel.update(data));
    on(["results", "given", "searching", "attempt"], (data) => this.results.show(data));
    on(["state", "page"], (data) => this.results.mark(data.state, data.page));
    on(["state", "connection", "pending", "savedAt", "batch", "layout", "recovered"], () => this.showTop());
    on(["task"], ({ task }) => {
      setText(this.questionText, task.question);
      setText(this.questionMeta, [...new Set([task.domain, task.category])].filter(Boolean).join(" · "));
      this.questionMeta.hidden = !this.questionMeta.textContent;
    });
    on(["searching", "searchError", "searchNote", "state", "protocol", "results", "page"], (data) => {
      this.search.element.hidden = !data.protocol.search.enabled;
      this.search.update({
        searching: data.searching, error: data.searchError, searchNote: data.searchNote,
        readOnly: isReadOnly(data.state), hintHidden: Boolean(data.page && data.results),
      });
    });
    on(["state", "page", "protocol", "layout"], (data) => this.showViewer(data));
    on(["state"], (data) => this.layout.showPause(data));
    on(["layout"], (data) => this.layout.show(data));
    on(["protocol", "corpus", "state", "results", "searching", "given"], (data) => this.layout.showEmpty(data));
    on(["loading"], (data) => this.element.classList.toggle("loading", Boolean(data.loading)));
  }

  /** A loaded attempt goes on screen. */
  booted(boot, initial) {
    const { state, protocol, given } = this.store.data;
    const recovered = this.panel.attach(boot.attempt, state);
    this.store.set({ recovered });
    this.search.setQuery(boot.results?.query ?? "");
    this.viewer.setAllowed(protocol.browse ? null : (given ?? this.found()));
    this.viewer.restoreView(state.view);
    const { position } = state;
    const { link } = boot;
    const same = link && position?.document === link.document && position?.page === link.page;
    if (link && !same && this.viewer.mayOpen(link)) this.viewer.goTo(link, "link");
    else if (position && this.viewer.mayOpen(position)) this.viewer.goTo(position, "restored");
    else if (given?.length && !protocol.search.enabled) this.viewer.goTo(given[0], "given");
    else this.viewer.close();
    this.layout.show(this.store.data);
    this.layout.toggleLeft(false);
    this.syncUrl();
    this.tick();
    if (!initial) this.questionText.focus();
  }

  /** The pages that searches have found, for protocols without browsing. */
  found() {
    return this.store.data.state.searches.flatMap(({ results }) =>
      results.map(([document, page]) => ({ document, page })),
    );
  }

  opened(target) {
    this.store.set({ page: target });
    this.syncUrl();
  }

  syncUrl() {
    const { attempt, page } = this.store.data;
    const url = new URL(window.location.href);
    url.searchParams.set("attempt", attempt);
    for (const key of ["document", "page"]) {
      if (page) url.searchParams.set(key, page[key]);
      else url.searchParams.delete(key);
    }
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
  }

  showTop() {
    const { data } = this.store;
    if (!data.state) return;
    const queued = this.attempt.outbox?.queue.length ?? 0;
    const unsaved = this.panel.dirty || data.pending > 0;
    const left = this.layout.leftOpen;
    this.top.update(data, { unsaved: unsaved || this.slow === true, waiting: data.pending, left });
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

  showViewer({ state, page, protocol, layout }) {
    if (page) {
      const cited = state.citations.filter((c) => c.document === page.document).map((c) => c.page);
      const key = cited.join();
      if (key !== this.citedKey || page.document !== this.citedDocument) {
        this.citedKey = key;
        this.citedDocument = page.document;
        this.viewer.rail.setCited(new Set(cited));
      }
    }
    if (!protocol.browse && !this.store.data.given) this.viewer.setAllowed(this.found());
    this.viewer.update({
      cited: Boolean(page) && cites(state, page.document, page.page),
      readOnly: isReadOnly(state),
      evidence: protocol.evidence.enabled,
      rail: layout.rail !== false,
    });
  }

  /** A refused change: the sentence goes beside its field; the state was rolled back. */
  refused(refusal, event) {
    if (event.type === "submitted" || event.type === "skipped") return; // their dialogs show it
    if (refusal.field === "answer" || refusal.field === "skip") this.panel.showError(refusal.field, refusal.message);
    else if (refusal.field === "search") this.store.set({ searchError: refusal.message });
    else if (!["page_viewed", "view_changed", "reconnected"].includes(event.type)) this.toast(refusal.message);
  }

  recover(use) {
    const { recovered, attempt } = this.store.data;
    if (!recovered) return;
    if (use) this.panel[recovered.field].use(recovered.text);
    else saveDraft(attempt, recovered.field, null);
    this.store.set({ recovered: null });
  }

  /** A short message at the bottom; read out by screen readers. */
  toast(text) {
    const toast = h("div", { class: "toast", testid: "toast", text });
    this.toasts.replaceChildren(toast);
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  tick() {
    const { clock } = this.attempt;
    this.sidebar.tick(clock);
  }

  /** Attach the global listeners. */
  activate() {
    if (this.presence) return;
    this.presence = watchPresence(this.attempt, {
      flushFields: () => this.panel.flush(),
      onTick: () => this.tick(),
      onOnline: () => this.viewer.retry(),
      gone: () => {
        if (this.element.isConnected) return false;
        this.deactivate();
        return true;
      },
    });
    this.stopKeys = listenKeys({
      root: this.root,
      actions: this.commands.keys(),
      blocked: () => !this.element.isConnected || Boolean(this.dialogs.querySelector("dialog[open]")),
      foreign: (event) => {
        const path = event.composedPath();
        if (path.includes(this.root)) return false;
        const target = path[0];
        return target instanceof Element && target.matches("input, textarea, select, [contenteditable], [role=dialog] *, [role=menu] *");
      },
    });
  }

  /** The screen was taken away: hand over what is left, drop the global listeners. */
  deactivate() {
    if (!this.presence) return;
    this.panel.flush();
    if (!this.store.data.state.hidden) this.attempt.record("tab_hidden", {});
    this.stopKeys();
    this.presence.stop();
    this.presence = null;
  }

  /** Streamlit ran again. */
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
      this.attempt.api.use(boot.attempt, boot.token);
    } else if (boot.attempt !== previous.boot.attempt) {
      this.panel.flush();
      this.attempt.show(boot);
    }
  }
}
