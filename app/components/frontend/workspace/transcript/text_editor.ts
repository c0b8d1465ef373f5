/**
 * The editor of a page's text, an island around CodeMirror. It has no history of its own: what is
 * typed is handed over as edits, and undone by the task's commands.
 */

import { standardKeymap } from "@codemirror/commands";
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from "@codemirror/language";
import { findNext, findPrevious, openSearchPanel, search } from "@codemirror/search";
import {
  Annotation,
  ChangeSet,
  Compartment,
  EditorState,
  type Text,
  type Transaction,
  Transaction as Transactions,
} from "@codemirror/state";
import { Decoration, EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { countPoints } from "../../shared/code_points";
import type { TextMark } from "../../shared/components/marked_text";
import { MAX_TRANSCRIPT } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { TextBlock } from "./block_alignment";
import { changesBetween, type Edit, editsOf } from "./edits";
import { markdown } from "./markdown_parser";
import { searchPanel } from "./search_panel";
import { showMarks, trackedChanges } from "./tracked_changes";

/** Typing is one event up to so many characters. */
const MAX_GROUPED = 200;

export type EditSource = Exclude<Pt.TextEdited["source"], "undo">;

/** Edits of the text that the editor was given last, or that came with the last edits. */
export interface EditGroup {
  edits: Edit[];
  source: EditSource;
  before: string;
}

export interface TextEditorCallbacks {
  /** Something was typed that has not been handed over. */
  onType: () => void;
  /** What was typed is to be handed over now. */
  onPause: () => void;
  /** These edits are complete. */
  onGroup: (group: EditGroup) => void;
  /** A proposed change was clicked. */
  onChoose: (patch: string) => void;
  /** The cursor has moved. */
  onCursor: () => void;
  /** An undo that is not a key, such as a menu's. */
  onHistory: (command: "undo" | "redo") => void;
  /** The text has no room for more. */
  onFull: () => void;
}

const isExternal = Annotation.define<boolean>();

const markdownLanguage = new Language(defineLanguageFacet(), markdown, [], "markdown");

const highlighting = HighlightStyle.define([
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-strike" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: "md-mark" },
  { tag: [tags.url, tags.link], class: "md-link" },
  { tag: [tags.monospace, tags.angleBracket, tags.tagName], class: "md-code" },
]);

/** Each line runs in its own direction. */
const lineDirections = ViewPlugin.fromClass(
  class {
    decorations;

    constructor(view: EditorView) {
      this.decorations = visibleLines(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = visibleLines(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const lineDirection = Decoration.line({ attributes: { dir: "auto" } });

function visibleLines({ state, visibleRanges }: EditorView) {
  const starts = new Set<number>();
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      starts.add(line.from);
      at = line.to + 1;
    }
  return Decoration.set([...starts].map((start) => lineDirection.range(start)));
}

export class TextEditor {
  readonly view: EditorView;
  private readonly access = new Compartment();
  /** the text without what is typed since */
  private before: Text;
  private typed: ChangeSet | null = null;
  private source: EditSource = "typing";
  private afterComposition: (() => void) | null = null;

  constructor(
    root: Document | ShadowRoot,
    text: string,
    private readonly callbacks: TextEditorCallbacks,
  ) {
    const { onChoose, onHistory } = callbacks;
    this.view = new EditorView({
      root,
      doc: text,
      extensions: [
        EditorState.lineSeparator.of("\n"),
        EditorState.allowMultipleSelections.of(false),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.clipboardInputFilter.of(cleaned),
        EditorState.transactionFilter.of((transaction) => this.limited(transaction)),
        markdownLanguage,
        syntaxHighlighting(highlighting),
        lineDirections,
        trackedChanges(onChoose),
        search({ top: true, createPanel: searchPanel }),
        keymap.of([
          { key: "Mod-f", run: openSearchPanel },
          { win: "Ctrl-h", linux: "Ctrl-h", run: openSearchPanel },
          { key: "F3", run: findNext, shift: findPrevious, preventDefault: true },
          ...standardKeymap,
        ]),
        this.access.of([]),
        EditorState.phrases.of({
          "current match": t("current hit"),
          "on line": t("on line"),
          "replaced match on line $": t("Replaced on line $"),
          "replaced $ matches": t("Replaced $ hits"),
        }),
        EditorView.contentAttributes.of({
          "aria-label": t("Text of the page in Markdown"),
          "aria-description": t("Escape and Tab leave the text."),
          "data-testid": "transcript-editor",
          spellcheck: "false",
          autocorrect: "off",
          autocapitalize: "off",
        }),
        EditorView.domEventHandlers({
          blur: () => {
            this.callbacks.onPause();
          },
          compositionend: () => {
            queueMicrotask(() => this.composed());
          },
          beforeinput: ({ inputType }) => {
            if (inputType !== "historyUndo" && inputType !== "historyRedo") return false;
            onHistory(inputType === "historyUndo" ? "undo" : "redo");
            return true;
          },
        }),
        EditorView.updateListener.of((update) => this.updated(update)),
      ],
    });
    this.before = this.view.state.doc;
  }

  get element() {
    return this.view.dom;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Whether something typed has not been handed over. */
  get isDirty() {
    return this.typed !== null;
  }

  /** What is typed and not handed over, which stays typed. */
  get typing(): EditGroup | null {
    if (!this.typed) return null;
    const { before, source, typed } = this;
    const edits = editsOf(typed, before);
    return edits.length ? { edits, source, before: before.toString() } : null;
  }

  get hasFocus() {
    return this.view.hasFocus;
  }

  putCursor(position: number) {
    this.view.dispatch({ selection: { anchor: Math.min(position, this.view.state.doc.length) } });
  }

  /** Where the cursor is, in UTF-16 units. */
  get cursor() {
    return this.view.state.selection.main.head;
  }

  /** Hand over what is typed. */
  flush() {
    const { typing } = this;
    this.before = this.view.state.doc;
    this.typed = null;
    if (typing) this.callbacks.onGroup(typing);
  }

  setReadOnly(readOnly: boolean) {
    if (readOnly === this.view.state.readOnly) return;
    this.view.dispatch({ effects: this.access.reconfigure(EditorState.readOnly.of(readOnly)) });
  }

  /**
   * Show a text that was changed elsewhere, below what is typed here.
   * @param marks of the text
   */
  show(text: string, marks: TextMark[]) {
    if (this.view.composing) {
      this.afterComposition = () => this.show(text, marks);
      return;
    }
    this.afterComposition = null;
    const changes = changesBetween(this.before.toString(), text);
    if (changes.length) this.changeBelow(changes);
    // While something is typed the marks move along; then they come with the text.
    if (!this.typed) this.view.dispatch({ effects: showMarks(marks, this.view.state) });
  }

  /**
   * Show a text in which one's own changes are merged with those of others.
   * @param theirs what the server has
   */
  rebase(theirs: string, text: string) {
    const before = this.view.state.toText(theirs);
    const typed = ChangeSet.of(changesBetween(theirs, text), before.length, "\n");
    this.view.dispatch({
      changes: changesBetween(this.text, text),
      annotations: isExternal.of(true),
    });
    this.before = before;
    this.typed = typed.empty ? null : typed;
    this.source = "typing";
    this.flush();
  }

  /** Insert words at the cursor, in place of what is selected. */
  insert(text: string) {
    this.flush();
    this.view.dispatch({
      ...this.view.state.replaceSelection(text),
      userEvent: "input.recognised",
      scrollIntoView: true,
    });
    this.flush();
  }

  /** Select a part of the text and bring it into view. */
  reveal(from: number, to: number, selects: boolean) {
    const { length } = this.view.state.doc;
    const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
    this.view.dispatch({
      ...(selects ? { selection: { anchor: head } } : {}),
      effects: EditorView.scrollIntoView(anchor, { y: "nearest", yMargin: 48 }),
    });
  }

  focus() {
    this.view.focus();
  }

  openSearch() {
    openSearchPanel(this.view);
  }

  /** Where a block is, in client coordinates. */
  span({ from, to }: TextBlock) {
    const { view } = this;
    const { length } = view.state.doc;
    const top = view.lineBlockAt(Math.min(from, length)).top;
    const { bottom } = view.lineBlockAt(Math.min(to, length));
    return { top: view.documentTop + top, bottom: view.documentTop + bottom };
  }

  get scroller() {
    return this.view.scrollDOM;
  }

  destroy() {
    this.view.destroy();
  }

  private changeBelow(changes: { from: number; to: number; insert: string }[]) {
    const below = ChangeSet.of(changes, this.before.length, "\n");
    const { typed } = this;
    this.before = below.apply(this.before);
    this.typed = typed ? typed.map(below) : null;
    this.view.dispatch({
      changes: typed ? below.map(typed, true) : below,
      annotations: [isExternal.of(true), Transactions.remote.of(true)],
    });
  }

  private composed() {
    this.afterComposition?.();
  }

  private updated(update: ViewUpdate) {
    for (const transaction of update.transactions) {
      if (transaction.annotation(isExternal)) continue;
      if (transaction.docChanged) this.take(transaction);
      else if (transaction.selection && this.typed) this.callbacks.onPause();
    }
    if (update.selectionSet || update.docChanged) this.callbacks.onCursor();
  }

  private take(transaction: Transaction) {
    const source = sourceOf(transaction);
    if (this.typed && (source !== this.source || source !== "typing")) {
      const after = this.view.state.doc;
      const { typed, before } = this;
      this.typed = null;
      this.before = transaction.startState.doc;
      const edits = editsOf(typed, before);
      if (edits.length)
        this.callbacks.onGroup({ edits, source: this.source, before: before.toString() });
      if (after !== this.view.state.doc) throw new Error("The text changed while it was recorded.");
    }
    this.source = source;
    this.typed = this.typed ? this.typed.compose(transaction.changes) : transaction.changes;
    this.callbacks.onType();
    if (source !== "typing" || typedCharacters(this.typed) >= MAX_GROUPED) this.callbacks.onPause();
  }

  /** Nothing beyond the longest text; only characters that can be stored. */
  private limited(transaction: Transaction) {
    if (!transaction.docChanged || transaction.annotation(isExternal)) return transaction;
    const { newDoc, startState } = transaction;
    if (newDoc.length <= MAX_TRANSCRIPT || newDoc.length <= startState.doc.length)
      return transaction;
    if (countPoints(newDoc.toString()) <= MAX_TRANSCRIPT) return transaction;
    this.callbacks.onFull();
    return [];
  }
}

/** Text as it can be stored: lines end in "\n", no NUL, no half characters. */
export function cleaned(text: string) {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "").toWellFormed();
}

function sourceOf(transaction: Transaction): EditSource {
  if (transaction.isUserEvent("input.paste") || transaction.isUserEvent("input.drop"))
    return "paste";
  if (transaction.isUserEvent("input.replace")) return "replace";
  return transaction.isUserEvent("input.recognised") ? "recognised" : "typing";
}

function typedCharacters(changes: ChangeSet) {
  let number = 0;
  changes.iterChanges((from, to, _from, _to, inserted) => {
    number += Math.max(to - from, inserted.length);
  });
  return number;
}
