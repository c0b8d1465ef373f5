/**
 * Work on the text of a page: what is typed becomes events, patches are decided, and a text that
 * was changed elsewhere is merged with what is typed here.
 */

import { batch, effect, signal, untracked } from "@preact/signals";
import { Positions } from "../../shared/code_points";
import type { TextMark } from "../../shared/components/marked_text";
import type { Toasts } from "../../shared/components/Toast";
import { crc32 } from "../../shared/crc32";
import { keyName } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { isDecidable } from "../../shared/transcript_state";
import type { Texts, Unsaved } from "../fields/text_drafts";
import type { Layout } from "../panel_visibility";
import { pageUnit, patchUnit } from "../readiness/judged_units";
import type { ScreenReadiness } from "../readiness/look_reports";
import type { Attempt } from "../state/attempt";
import type { PageWords } from "../viewer/page_words";
import type { Viewer } from "../viewer/viewer";
import type { ScrollSync } from "./scroll_sync";
import type { EditGroup, TextEditor } from "./text_editor";

export type Loaded = typeof import("./loaded");

const TYPING_PAUSE_MS = 700;

/** A pane that shows the text of an attempt. */
type Opening = { attempt: string; root: Document | ShadowRoot };

type Refused = { event: Pt.Event & { type: "text_edited" }; before: string | undefined };

interface TranscriptHost {
  attempt: Attempt;
  texts: Texts;
  viewer: Viewer;
  words: PageWords;
  layout: Layout;
  readiness: ScreenReadiness;
  toasts: Toasts;
  /** Hand over what is typed or moved and not recorded yet. */
  flush: () => void;
  onTyping: () => void;
  run: (command: Pt.WorkspaceCommand) => void;
  /** A large module that is only needed for texts. */
  loadEditor: () => Promise<Loaded>;
}

export class TranscriptWork implements Unsaved {
  /** null until the editor is loaded, as the editor is */
  readonly loaded = signal<Loaded | null>(null);
  readonly editor = signal<TextEditor | null>(null);
  /** why it could not be loaded */
  readonly problem = signal("");
  /** What was typed and has no place in the present text. */
  readonly lost = signal("");
  /** what was decided last, for screen readers */
  readonly decided = signal("");
  private opening: Opening | null = null;
  private sync: ScrollSync | null = null;
  private timer = 0;
  private wasFocused = false;
  private refused: Refused[] = [];
  /** The text before each edit that is not acknowledged, by event. */
  private readonly before = new Map<string, string>();

  constructor(private readonly host: TranscriptHost) {
    const { tracked } = host.attempt.store;
    effect(() => {
      const { state, timeOver, currentPatch } = tracked;
      const editor = this.editor.value;
      if (state && editor) untracked(() => this.show(editor, state, timeOver, currentPatch));
    });
  }

  private say(text: string) {
    this.host.toasts.show({ text });
  }

  private get data() {
    return this.host.attempt.store.data;
  }

  get readiness() {
    return this.host.readiness;
  }

  get transcript() {
    return this.data.state?.transcript ?? null;
  }

  // What is typed and not recorded yet.

  get attempt() {
    return this.host.attempt.id;
  }

  get dirty() {
    return this.editor.value?.isDirty ?? false;
  }

  flush() {
    clearTimeout(this.timer);
    this.editor.value?.flush();
  }

  /**
   * Load the editor into a document or shadow root. The next task's pane may open before this one is
   * closed: it takes over, and closing this one then does nothing.
   * @returns takes the text off the screen
   */
  open(root: Document | ShadowRoot): () => void {
    this.close();
    const opening = { attempt: this.attempt, root };
    this.opening = opening;
    void this.load(opening);
    return () => {
      if (this.opening === opening) this.close();
    };
  }

  /** Load the editor again after that has failed. */
  retry() {
    if (this.opening) void this.load(this.opening);
  }

  private async load(opening: Opening): Promise<void> {
    if (!this.transcript) return;
    this.problem.value = "";
    let module: Loaded | null;
    try {
      module = await this.host.loadEditor();
    } catch {
      module = null;
    }
    if (this.opening !== opening || opening.attempt !== this.attempt || this.editor.value) return;
    if (!module) {
      this.problem.value = t("The editor could not be loaded. Check the connection.");
      return;
    }
    const { host } = this;
    const editor = new module.TextEditor(opening.root, this.transcript?.text ?? "", {
      onType: () => this.typed(),
      onPause: () => this.flush(),
      onGroup: (group) => this.record(group),
      onChoose: (patch) => this.choose(patch),
      onCursor: () => this.cursorMoved(),
      onHistory: (command) => host.run(command),
      onFull: () => this.say(t("The text is as long as it may be.")),
    });
    this.sync = new module.ScrollSync({
      stage: host.viewer.stage,
      words: async () => (this.data.page ? host.words.load(this.data.page) : []),
      isTogether: () => this.data.layout.apart !== true,
    });
    this.sync.setView(editor);
    this.sync.setText(editor.text, true);
    batch(() => {
      this.loaded.value = module;
      this.editor.value = editor;
    });
    host.texts.include(this);
  }

  private cursorMoved() {
    const editor = this.editor.value;
    if (!editor) return;
    this.wasFocused ||= editor.hasFocus;
    if (editor.hasFocus) this.sync?.followCursor(editor.cursor);
  }

  /** The rendered text is on screen instead of the source. */
  showRendered(scroller: HTMLElement) {
    const { loaded, sync } = this;
    if (loaded.value) sync?.setView(new loaded.value.RenderedScroll(scroller));
  }

  showSource() {
    const editor = this.editor.value;
    if (editor) this.sync?.setView(editor);
  }

  /** The text is taken off the screen. */
  private close() {
    if (!this.opening) return;
    this.opening = null;
    clearTimeout(this.timer);
    this.host.texts.remove(this);
    this.sync?.destroy();
    this.sync = null;
    this.editor.value?.destroy();
    this.editor.value = null;
    this.wasFocused = false;
    this.lost.value = "";
    this.refused = [];
    this.before.clear();
    this.host.attempt.store.set({ currentPatch: null });
  }

  private typed() {
    const { attempt, onTyping } = this.host;
    const typing = this.editor.value?.typing;
    attempt.outbox.keepTyping(typing ? this.eventOf(typing) : null);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), TYPING_PAUSE_MS);
    onTyping();
  }

  private eventOf({ edits, source, before }: EditGroup) {
    const { document = "", page = 0 } = this.transcript ?? {};
    const payload = { document, page, edits, source, text_crc32: crc32(before) };
    return { type: "text_edited" as const, payload };
  }

  private record(group: EditGroup) {
    const { attempt } = this.host;
    const { type, payload } = this.eventOf(group);
    const result = attempt.record(type, payload);
    if (!result) return;
    const event = attempt.outbox.queue.at(-1);
    if (!event) return;
    this.before.set(event.id, group.before);
    void result.then(({ receipt }) => {
      if (receipt) this.before.delete(event.id);
    });
  }

  // What is shown.

  private show(
    editor: TextEditor,
    state: Pt.AttemptState,
    timeOver: boolean,
    currentPatch: string | null,
  ) {
    const { transcript } = state;
    if (!transcript) return;
    editor.setReadOnly(!this.mayEdit || timeOver);
    if (this.refused.length || this.isWaiting) return;
    editor.show(transcript.text, marksOf(transcript, currentPatch, this.showsPatches));
    this.sync?.setText(transcript.text);
  }

  get mayEdit() {
    return this.host.attempt.mayEdit;
  }

  get showsPatches() {
    return this.data.protocol.transcript.patches;
  }

  /** Whether an edit that does not fit the present text waits for the server's refusal. */
  private get isWaiting() {
    const { outbox, unfitting } = this.host.attempt;
    return outbox.queue.some(({ id }) => unfitting.has(id) && this.before.has(id));
  }

  // Changes from elsewhere.

  /** The server refused an edit, since the text is another there. */
  refuse(event: Pt.Event) {
    if (event.type !== "text_edited") return;
    this.refused.push({ event, before: this.before.get(event.id) });
    this.before.delete(event.id);
  }

  /** The present state is that of the server. */
  caughtUp() {
    const { refused, host } = this;
    const editor = this.editor.value;
    const { transcript } = this;
    if (!refused.length || !transcript) return;
    const { outbox } = host.attempt;
    // Edits on top of refused ones do not fit either.
    for (const event of [...outbox.queue]) {
      if (!host.attempt.unfitting.has(event.id)) continue;
      outbox.withdraw(event);
      this.before.delete(event.id);
    }
    this.refused = [];
    const { before } = refused[0];
    const module = this.loaded.value;
    if (editor && module && before !== undefined) {
      const theirs = transcript.text;
      const text = module.merged(before, editor.text, theirs);
      editor.rebase(theirs, text);
      this.say(t("The text was also changed elsewhere. Both changes are in it now."));
      return;
    }
    this.lost.value = refused
      .flatMap(({ event }) => event.payload.edits.map(({ inserted }) => inserted))
      .filter(Boolean)
      .join("\n");
  }

  insertLost() {
    const text = this.lost.value;
    this.lost.value = "";
    this.editor.value?.insert(text);
    this.editor.value?.focus();
  }

  discardLost() {
    this.lost.value = "";
  }

  /** What keys do outside of the editor. */
  keys(): Partial<Record<Pt.WorkspaceCommand, (event: KeyboardEvent) => unknown>> {
    return {
      acceptPatch: () => this.decide("accepted"),
      rejectPatch: () => this.decide("rejected"),
      acceptAllPatches: () => this.acceptAll(),
      nextPatch: () => this.step(1),
      previousPatch: () => this.step(-1),
      toggleMarkup: () => {
        if (!this.transcript) return false;
        return this.host.layout.set({ rendered: !this.data.layout.rendered });
      },
      // Elsewhere Enter presses what has the focus.
      focusTranscript: (event) => (isPage(event) ? this.focus() : false),
      findInTranscript: () => this.find(),
    };
  }

  private showSourceView() {
    const { layout } = this.host;
    layout.showRight();
    if (this.data.layout.rendered) layout.set({ rendered: false });
  }

  focus() {
    const editor = this.editor.value;
    if (!editor) return false;
    this.showSourceView();
    editor.focus();
    return true;
  }

  private find() {
    const editor = this.editor.value;
    if (!editor) return false;
    this.showSourceView();
    editor.openSearch();
    return true;
  }

  // Patches.

  /** Open patches in the order of the text. */
  get openPatches() {
    return openPatches(this.transcript, this.showsPatches);
  }

  get current() {
    const { openPatches } = this;
    return openPatches.find(({ id }) => id === this.data.currentPatch) ?? null;
  }

  choose(id: string | null) {
    this.host.attempt.store.set({ currentPatch: id });
    const patch = this.current;
    if (patch && patch.at !== null && this.transcript) {
      const positions = new Positions(this.transcript.text);
      const from = positions.toUnit(patch.at);
      this.editor.value?.reveal(from, from + patch.removed.length, false);
      this.sync?.showPosition(from);
    }
  }

  /** Go to the next or previous open patch. */
  step(by: 1 | -1) {
    const { openPatches } = this;
    if (!openPatches.length) return false;
    this.flush();
    this.decided.value = "";
    const here = openPatches.findIndex(({ id }) => id === this.data.currentPatch);
    const first = by > 0 ? 0 : openPatches.length - 1;
    const next = here < 0 ? first : (here + by + openPatches.length) % openPatches.length;
    this.choose(openPatches[next].id);
    return true;
  }

  /** Decide the current patch, or go to the first one, and on to the next. */
  decide(decision: "accepted" | "rejected") {
    if (!this.mayEdit || !this.openPatches.length) return false;
    this.host.flush();
    const patch = this.current;
    const { transcript } = this;
    if (!patch || !transcript) return this.step(1);
    if (!isDecidable(transcript, patch, decision)) return false;
    const seen = this.judge(patch.id);
    if (!seen) return true;
    const after = this.openPatches;
    const next = after[after.findIndex(({ id }) => id === patch.id) + 1] ?? after[0];
    const { document, page } = transcript;
    const payload = { document, page, patch: patch.id, decision, ...seen };
    if (this.host.attempt.record("patch_decided", payload) === null) return true;
    this.decided.value = decision === "accepted" ? t("Patch accepted.") : t("Patch rejected.");
    this.choose(next.id === patch.id ? null : next.id);
    if (!this.openPatches.length) this.say(t("All patches are decided."));
    return true;
  }

  /** Ask whether a patch was looked at; one that is not on screen comes into view. */
  private judge(patch: string) {
    const seen = this.readiness.judge(patchUnit(patch));
    if (!seen) this.host.layout.showRight();
    return seen;
  }

  /** Accept all open patches at once: one decision on a page that was looked at. */
  acceptAll() {
    if (!this.mayEdit || !this.openPatches.length) return false;
    this.host.flush();
    const { transcript } = this;
    if (!transcript) return false;
    const patches = this.openPatches.map(({ id }) => id);
    const { document, page } = transcript;
    const seen = this.readiness.judge(pageUnit({ document, page }, "patches"));
    if (!seen) return true;
    const payload = { document, page, patches, decision: "accepted" as const, ...seen };
    if (this.host.attempt.record("patches_decided", payload) === null) return true;
    this.choose(null);
    this.say(
      tn(
        "{number} patch accepted. {key} undoes it.",
        "{number} patches accepted. {key} undoes it.",
        patches.length,
        { key: keyName("undo") },
      ),
    );
    return true;
  }

  /** Open a rejected patch again. */
  reopen(id: string) {
    const { transcript } = this;
    if (!this.mayEdit || !transcript) return;
    const { document, page } = transcript;
    const unit = { ...pageUnit({ document, page }, "patches"), id: patchUnit(id).id };
    const seen = this.readiness.judge(unit);
    if (!seen) return;
    this.host.flush();
    const payload = { document, page, patch: id, decision: "open" as const, ...seen };
    this.host.attempt.record("patch_decided", payload);
    this.choose(id);
  }

  // Words of the page.

  /**
   * Insert recognised words at the cursor; while nobody has put it anywhere, behind the text of the
   * block above them.
   * @param top where on the page they begin
   */
  insertWords(text: string, top: number) {
    const editor = this.editor.value;
    if (!editor || !text) return;
    if (!this.mayEdit) {
      this.say(sentence("time_over"));
      return;
    }
    this.host.flush();
    const end = this.wasFocused ? null : this.sync?.endNear(top);
    if (typeof end === "number") editor.putCursor(end);
    editor.insert(end && editor.text ? `\n\n${text}` : text);
    this.wasFocused = true;
    if (this.data.layout.rendered) this.host.layout.set({ rendered: false });
  }

  /** Show where a step of the history was. */
  showStep(step: Pt.HistoryStep) {
    const { transcript } = this;
    const edit = step.transcript?.edits[0];
    const patch = step.transcript?.patches[0];
    if (!transcript) return;
    if (edit) {
      const from = new Positions(transcript.text).toUnit(edit.at);
      this.editor.value?.reveal(from, from + edit.inserted.length, true);
    } else if (patch) this.choose(patch);
  }
}

function isPage(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(".pane");
}

const NO_PATCHES: Pt.TranscriptPatch[] = [];

/** Open patches in the order of the text. */
export function openPatches(transcript: Pt.Transcript | null, shows: boolean) {
  if (!transcript || !shows) return NO_PATCHES;
  return transcript.patches
    .filter(({ state }) => state === "open")
    .sort((left, right) => (left.at ?? 0) - (right.at ?? 0));
}

/** The open patches as marks of the text. */
export function marksOf(
  transcript: Pt.Transcript,
  current: string | null,
  shows: boolean,
): TextMark[] {
  const positions = new Positions(transcript.text);
  return openPatches(transcript, shows).flatMap(({ id, at, removed, inserted }) => {
    if (at === null) return [];
    const from = positions.toUnit(at);
    return [{ id, from, to: from + removed.length, inserted, isCurrent: id === current }];
  });
}
