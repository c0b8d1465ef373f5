/** The screen of one task under review: its parts, and what keys and clicks do. */

import { computed, effect } from "@preact/signals";
import { createRef, render } from "preact";
import { openGuidelines } from "../shared/components/GuidelinesDialog";
import { openKeys } from "../shared/components/KeysDialog";
import { printKeys } from "../shared/keys";
import { samePlace } from "../shared/places";
import { applyTheme } from "../shared/theme";
import { COMMANDS } from "./actions";
import type { ComparisonActions } from "./comparison/actions";
import { AnswerEditing } from "./comparison/answer_editing";
import { Deciding } from "./decision/decide";
import { toggleRow } from "./decision/row_selections";
import * as selections from "./decision/selections";
import {
  compareMerged,
  comparePair,
  decide,
  decideRest,
  type MergedPair,
  partOf,
} from "./decision/text_decisions";
import { keep, kept } from "./decision/unsaved_selections";
import { ReviewedPage } from "./page/reviewed_page";
import { endWords, queueScreen, restoreQueue, showTask } from "./queue";
import { ReviewScreen } from "./ReviewScreen";
import { ReviewReadiness } from "./readiness";
import { Acts } from "./requests";
import { Session } from "./session";
import { listenKeys, type Meaning } from "./shortcuts";
import { createReviewStore } from "./store";

const TOAST_MS = 5000;

export class Reviewing {
  private readonly reviewer: number;
  readonly home: string;
  readonly keys: Pt.ScreenKey[];
  readonly store = createReviewStore();
  readonly acts: Acts;
  readonly session: Session;
  readonly deciding: Deciding;
  readonly editing: AnswerEditing;
  readonly sheet: ReviewedPage;
  private readonly readiness: ReviewReadiness;
  private readonly comparison = createRef<HTMLElement>();
  private readonly reasonField = createRef<HTMLInputElement>();
  private readonly element = createRef<HTMLDivElement>();
  private readonly dialogPlace = createRef<HTMLDivElement>();
  private readonly host = document.createElement("div");
  private readonly stop: (() => void)[];
  private toastTimer = 0;

  constructor(
    root: ShadowRoot | HTMLElement,
    { task, reviewer, home, base, keys }: Pt.ReviewScreenData,
  ) {
    const { store } = this;
    this.reviewer = reviewer;
    this.home = home;
    this.keys = keys;
    printKeys(keys);
    this.acts = new Acts({
      base,
      onConnection: (trying, message) => store.set({ disconnected: trying ? message : "" }),
    });
    this.session = new Session(this.acts, store);
    this.deciding = new Deciding(this.session, {
      reviewer,
      home,
      dialogs: () => this.dialogs,
      say: (text) => this.say(text),
      mayDecide: (part) => this.readiness.mayDecide(part) !== null,
      mayTakeBox: () => this.readiness.mayTakeBox(),
      select: (part) => this.select(part),
      open: (next) => this.open(next),
      flushAnswers: () => this.editing.flush(),
      focusComparison: () => this.focusComparison(),
      focusReason: () => this.focusReason(),
    });
    this.editing = new AnswerEditing(
      store,
      (texts) => this.deciding.answers.write(texts),
      () => this.focusComparison(), // keys are off in a field
    );
    this.sheet = new ReviewedPage(
      (sha, page, dpi) => this.acts.api.pageUrl(sha, page, dpi),
      (attempt, box) => this.deciding.box(attempt, box),
    );
    this.readiness = new ReviewReadiness(
      {
        task: computed(() => store.loaded.value?.task.id ?? null),
        part: store.part,
        page: store.page,
        shown: this.sheet.shown,
      },
      () => this.dialogs,
      (hint) => this.say(hint),
    );
    root.append(this.host);
    render(this.screen(), this.host);
    const listening = new AbortController();
    this.readiness.listen(listening.signal); // before the keys are
    this.stop = [
      () => listening.abort(),
      effect(() => this.remember()),
      listenKeys({
        keys,
        act: (meaning) => this.key(meaning),
        blocked: () => this.dialogs.childElementCount > 0,
        root,
      }),
    ];
    restoreQueue(task);
    this.open(task);
  }

  private screen() {
    const { store, session, deciding } = this;
    const queueAddress = () => queueScreen(this.home, store.review.value);
    return (
      <ReviewScreen
        store={store}
        element={this.element}
        isReady={this.readiness.isReady}
        dialogs={this.dialogPlace}
        topBar={{
          queueAddress,
          onTake: (over) => session.take(over),
          onRelease: () => session.release(),
          onStep: (by) => this.step(by),
          onGuidelines: () => this.guidelines(),
          onKeys: () => this.help(),
        }}
        messages={{ queueAddress, onClose: () => this.closeMessages() }}
        flags={{ onHandle: (attempt, handled) => session.handle(attempt, handled) }}
        onChooseDraft={(source) => session.chooseDraft(source)}
        question={{
          onTakeFrom: (part, source) => deciding.takeFrom(part, source),
          onOpenDataset: (open) =>
            open ? void session.showDataset() : store.set({ datasetOpen: false }),
        }}
        comparison={{
          region: this.comparison,
          editing: this.editing,
          imageUrl: (sha, page, dpi) => this.acts.api.pageUrl(sha, page, dpi),
          replayAddress: (participant) => this.replayAddress(participant),
          actions: this.comparisonActions(),
        }}
        page={{
          sheet: this.sheet,
          onStep: (by) => this.turnBy(by),
          onWiden: () => this.wide(),
          onShowLayer: (key, shown) => this.showLayer(key, shown),
          onTakeBox: (attempt, box) => deciding.box(attempt, box),
          onShowBox: (box) => this.showBox(box),
        }}
        decision={{
          reasonField: this.reasonField,
          onSay: (said) => store.set(said),
          onAccept: () => deciding.accept(),
          onConfirm: () => deciding.confirm(),
          onEdit: () => deciding.edit(),
          onSendBack: () => deciding.sendBack(),
          onUndo: () => deciding.undo(),
          onReopen: () => deciding.takeUp(),
          onNext: () => this.step(1),
        }}
      />
    );
  }

  private comparisonActions(): ComparisonActions {
    const { deciding, store } = this;
    /** Decide differences of a pair, beginning with the person whose version is proposed. */
    const merge = (
      pair: MergedPair,
      change: (picks: Pt.Selections) => Pt.Selections,
      how: "pick" | "compare" = "pick",
    ) => {
      const part = partOf(pair);
      const choice = store.choiceOf(part);
      deciding[how]((now) => change(now[part] || !choice ? now : { ...now, [part]: choice }), part);
    };
    return {
      onSelect: (part) => this.select(part),
      onTakeFrom: (part, attempt) => deciding.takeFrom(part, attempt),
      onTakeAll: (attempt) =>
        deciding.pick(() => selections.takeAll(store.review.value.merge_methods, attempt)),
      onTakeDraft: (draft) => deciding.takeDraft(draft),
      onRejectDraft: (draft) => void deciding.rejectDraft(draft),
      onTakeWay: (part, how) => deciding.way(part, how),
      onTakeOnPage: (part, place, attempt) => deciding.at(part, place, attempt),
      onTakeBox: (attempt, box) => deciding.box(attempt, box),
      onTakeRow: (part, before, lines, entry, taken) =>
        deciding.pick((now) => toggleRow(now, part, before, lines, entry, taken), part),
      onDecideText: (pair, difference, decision, text) =>
        merge(pair, (now) => decide(now, pair, difference, decision, text)),
      onDecideRest: (pair, side) => merge(pair, (now) => decideRest(now, pair, side)),
      onComparePair: (pair) => merge(pair, (now) => comparePair(now, pair), "compare"),
      onCompareMerged: (pair, version) =>
        merge(pair, (now) => compareMerged(now, pair, version), "compare"),
      onCite: (place) =>
        deciding.pick(
          (now) => selections.togglePage(now, store.draft.value.citations, place),
          "evidence",
        ),
      onDecidePage: (part, place, verdict) =>
        deciding.pick((now) => selections.decidePage(now, part, place, verdict), part),
      onOpenPage: (place) => this.turn(place),
      onShowBox: (box) => this.showBox(box),
      onEditAnswer: () => deciding.answers.edit(),
      onComment: (participant) => deciding.comments(participant),
    };
  }

  get dialogs(): HTMLDivElement {
    if (!this.dialogPlace.current) throw new Error("The screen is not there yet.");
    return this.dialogPlace.current;
  }

  async open(task: number) {
    this.store.set({ finished: false, warnedOf: null, reasonMissing: false });
    const unsaved = kept(this.reviewer, task);
    if (await this.session.open(task, unsaved, () => this.open(task))) showTask(task);
  }

  /** What was chosen and typed outlives a reload. */
  private remember() {
    const { store } = this;
    const picks = store.picks.value;
    const reason = store.reason.value;
    if (store.loaded.value && !store.decided.value && !store.readOnly.value)
      keep(this.reviewer, store.review.value.task.id, { picks, reason });
  }

  /** A short message; read out by screen readers. */
  say(text: string) {
    window.clearTimeout(this.toastTimer);
    this.store.set({ toast: text });
    if (text) this.toastTimer = window.setTimeout(() => this.say(""), TOAST_MS);
  }

  /** Close the messages that can be closed; whether there were any. */
  private closeMessages() {
    const { problem, notices } = this.store.data;
    const isLasting = Boolean(problem?.run);
    if (!notices.length && (!problem || isLasting)) return false;
    this.store.set({ notices: [], problem: isLasting ? problem : null });
    return true;
  }

  select(part: string) {
    const { store } = this;
    const row = store.rows.value.find((other) => other.part === part);
    const first = row?.pages.find(({ differs }) => differs) ?? row?.pages[0];
    const staysOnPage = !first || row?.pages.some((page) => samePlace(page, store.data.page));
    store.set({
      part,
      page: staysOnPage ? store.data.page : first,
      agreedOpen: store.data.agreedOpen || Boolean(row?.agreed),
      revealed: { part },
    });
  }

  turn({ document, page }: Pt.Place) {
    const { store } = this;
    const { part } = store.data;
    const place = { document, page };
    const revealed = part === null ? null : { part, page: place };
    store.set({ page: place, standsOut: null, revealed });
  }

  turnBy(by: number) {
    const pages = this.store.pages.value;
    const index = pages.findIndex((place) => samePlace(place, this.store.data.page));
    const next = pages[index + by];
    if (next) this.turn(next);
  }

  /** Bring a box into view and let it stand out. */
  private showBox(box: Pt.ReviewedBox) {
    this.turn(box);
    this.store.set({ standsOut: box.id });
    this.sheet.reveal(box);
  }

  hideBoxes() {
    this.store.set({ boxesHidden: !this.store.data.boxesHidden });
  }

  private showLayer(key: string, shown: boolean) {
    const hiddenLayers = new Set(this.store.data.hiddenLayers);
    if (shown) hiddenLayers.delete(key);
    else hiddenLayers.add(key);
    this.store.set({ hiddenLayers, boxesHidden: false });
  }

  focusReason() {
    this.reasonField.current?.focus();
  }

  focusComparison() {
    this.comparison.current?.focus();
  }

  /** What a key does; false leaves it to others. */
  key({ command, number = 0 }: Meaning) {
    if (!this.store.data.loaded) return false;
    if (command === "takeFrom" || command === "takeAll")
      return this.deciding.number(command, number);
    return COMMANDS[command](this);
  }

  nextConflict() {
    const rows = this.store.rows.value;
    const conflicts = rows.filter(({ agreed }) => !agreed);
    const among = conflicts.length ? conflicts : rows;
    const at = among.findIndex(({ part }) => part === this.store.data.part);
    const next = among[(at + 1) % among.length];
    if (next) this.select(next.part);
  }

  private replayAddress(participant: Pt.Participant) {
    const other = this.session.data.participants.find(
      ({ attempt }) => attempt !== participant.attempt,
    );
    const beside = other ? `&with=${encodeURIComponent(other.attempt)}` : "";
    return `${this.home}trajectory?attempt=${encodeURIComponent(participant.attempt)}${beside}`;
  }

  step(by: number) {
    const { queue } = this.session.data;
    const task = by > 0 ? queue.next : queue.previous;
    if (task) this.open(task);
    else this.say(endWords(queue, by));
  }

  wide() {
    this.store.set({ wide: !this.store.data.wide });
  }

  guidelines() {
    const { guidelines, task } = this.session.data;
    void openGuidelines(this.dialogs, task.title, guidelines);
  }

  help() {
    void openKeys(this.dialogs, this.keys);
  }

  escape() {
    const { activeElement } = this.dialogs.getRootNode() as ShadowRoot;
    if (this.editing.finish()) return true;
    if (!activeElement?.matches("input, select, textarea")) return this.closeMessages();
    (activeElement as HTMLElement).blur();
    return true;
  }

  /** Streamlit has run the script again; another task may have been asked for. */
  /** Streamlit ran again, with new data or the same. */
  receive(data: Pt.ReviewScreenData, previous: Pt.ReviewScreenData) {
    if (this.element.current) applyTheme(this.element.current);
    if (data.task !== previous.task) this.open(data.task);
  }

  destroy() {
    this.acts.gone = true;
    for (const stop of this.stop) stop();
    render(null, this.host);
    this.host.remove();
    this.sheet.destroy();
  }
}
