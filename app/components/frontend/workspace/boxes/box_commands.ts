/**
 * What buttons and keys do with boxes: tools, copies, deleting, labels, small steps. Commands return
 * whether they did anything. What they do becomes an event at once; steps are gathered until they
 * pause.
 */

import { effect, untracked } from "@preact/signals";
import { getBox } from "../../shared/box_state";
import { keyName } from "../../shared/keys";
import { t } from "../../shared/messages";
import type { Stage } from "../../shared/page/page_stage";
import {
  boundingRect,
  clamp,
  edgeOfStep,
  expanded,
  handlePoint,
  moved,
  pageStep,
  rectBetween,
  rectsEqual,
  resized,
  withMinimumSize,
} from "../../shared/page/rectangles";
import type { Readiness, Seen } from "../../shared/readiness";
import { likelyBefore, orderAfter } from "../../shared/reading_order";
import { elementUnit, pageUnit } from "../readiness/judged_units";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";
import { PageWords } from "../viewer/page_words";
import { asParagraphs, wordsIn } from "../viewer/word_text";
import type { BoxBarActions } from "./BoxBar";
import { fillBox } from "./box_filling";
import { listed, ordered } from "./element_order";
import { OpenPageBoxes } from "./open_page_boxes";
import { BoxPage } from "./page_boxes";
import { type PendingBox, PendingBoxes } from "./pending_boxes";
import { type OutlineStep, TextOutline } from "./text_outline";

const NUDGE_MS = 400;
const OFFSET = 8;
const PADDING = 1;

const FOLLOWED = [
  "state",
  "page",
  "protocol",
  "given_pages",
  "tool",
  "selected",
  "boxesHidden",
  "timeOver",
  "pendingBoxes",
] as const;

type NewBox = Pick<Pt.BoxDrawn, "rect" | "how" | "copy_of"> & { label: string | null };

interface BoxCommandsHost {
  stage: Stage;
  attempt: Attempt;
  readiness: Readiness;
  /** Keeps a part of the layout. */
  remember: (change: Partial<Pt.StoredLayout>) => void;
  /** Runs what changes the open page's boxes; fields may follow them, and the page be complete. */
  change: (work: () => void) => void;
  /** Opens a page. */
  goTo: (place: Pt.Place) => void;
}

export class BoxCommands implements BoxBarActions {
  readonly stage: Stage;
  readonly attempt: Attempt;
  readonly words: PageWords;
  /** Takes the words of a part of the page, which begins at a height. */
  onWords: (text: string, top: number) => void = () => {};
  private readonly open: OpenPageBoxes;
  private readonly page: BoxPage;
  private readonly pending: PendingBoxes;
  private readonly outline: TextOutline;
  /** a box that steps move or resize, not recorded yet */
  private nudged: { id: string; rect: Pt.Rect; isResized: boolean } | null = null;
  /** the held box, if the arrow keys resize it */
  private resizing: string | null = null;
  private nudgeTimer: number | undefined;
  /** The box to select once its page is open. */
  private selectOncePageOpens: string | null = null;
  /** The box that was last brought into view. */
  private lastRevealed: string | null = null;
  /** Whether the page scrolls to a box that is selected. */
  private scrolls = true;

  constructor(private readonly host: BoxCommandsHost) {
    const { stage, attempt } = host;
    this.stage = stage;
    this.attempt = attempt;
    this.words = new PageWords((place) => attempt.api.words(attempt.id, place));
    this.open = new OpenPageBoxes(attempt);
    this.pending = new PendingBoxes(attempt);
    this.page = new BoxPage(stage, this.open, this.words, {
      onLeave: () => this.flush(),
      onSelect: (id, onPurpose) => this.select(id, onPurpose),
      onDraw: (rect) => {
        if (this.open.insertsWords) void this.insertWordsIn(rect);
        else this.add({ rect, label: this.open.activeLabel, how: "drawn" });
      },
      onMove: (box, rect) => this.drag("box_moved", { box, rect, how: "drag" }),
      onResize: (box, rect) => this.drag("box_resized", { box, rect }),
      onCopy: (text) => this.copied(text, "clipboard"),
    });
    this.outline = new TextOutline({
      stage,
      text: this.text,
      words: this.words,
      page: () => this.data.page,
    });
    this.text.addOffer({
      text: t("Box around selection"),
      testid: "box-selection",
      isOffered: () => this.open.editable && this.data.protocol.boxes.add,
      run: () => this.boxSelection(),
    });
    this.text.addOffer({
      text: t("Insert into the text"),
      testid: "insert-selection",
      isOffered: () => this.open.insertsWords,
      run: () => this.insertSelection(),
    });
    effect(() => {
      for (const key of FOLLOWED) attempt.store[key].value;
      if (this.data.state) untracked(() => this.update());
    });
  }

  get data() {
    return this.attempt.store.data;
  }

  /** The selected words of the page. */
  get text() {
    return this.page.text;
  }

  /** The chosen box of the open page, or null. */
  get selected() {
    return this.open.selected;
  }

  /** Whether the chosen box was chosen on purpose, so that keys move it. */
  get held() {
    return this.open.held;
  }

  /** Whether something is being drawn or dragged. */
  get isBusy() {
    return this.page.isBusy;
  }

  showHint(text: string) {
    this.stage.showHint(text);
  }

  /**
   * Ask whether a box may be changed by a key or click: a model's element once it was looked at,
   * one's own at any time.
   * @returns null where it may not; otherwise what the event says
   */
  judge(box: Pt.PageBox): Partial<Seen> | null {
    return box.model ? this.host.readiness.judge(elementUnit(box)) : {};
  }

  /** Selected words went somewhere. */
  copied(text: string, to: Pt.TextCopied["to"]) {
    const { page } = this.data;
    if (!page) return;
    const place = { document: page.document, page: page.page };
    this.attempt.record("text_copied", { ...place, text: clean(text), to });
  }

  /** The page, its boxes or what is chosen has changed; others may choose boxes, too. */
  private update() {
    this.pending.load();
    const isTurned = this.page.update(this.pending.ofPage);
    if (this.addPendingThatNowCount()) return;
    const { boxes } = this.open;
    const { selected, held = null } = this.data;
    const { store } = this.attempt;
    const chosen = boxes.some((box) => box.id === selected) ? selected : null;
    if (this.nudged && this.nudged.id !== chosen) this.flush();
    if (this.selectOncePageOpens && boxes.some((box) => box.id === this.selectOncePageOpens)) {
      const id = this.selectOncePageOpens;
      this.selectOncePageOpens = null;
      store.set({ selected: id });
      return;
    }
    if (isTurned) {
      this.selectOncePageOpens = null;
      this.outline.reset();
    }
    // Selected again later, by undo or from a list, it moves by keys only after Enter.
    if (![chosen, this.selectOncePageOpens].includes(held)) store.set({ held: null });
    if (chosen !== selected) {
      store.set({ selected: chosen });
      return;
    }
    if (chosen !== this.lastRevealed) {
      this.lastRevealed = chosen;
      if (chosen) this.page.revealAndAnnounce(chosen, this.scrolls);
    }
  }

  private select(id: string | null, onPurpose: boolean) {
    this.resizing = null;
    this.withoutScrolling(() =>
      this.attempt.store.set(onPurpose ? { selected: id, held: id } : { selected: id }),
    );
  }

  /** Run what selects a box that is in view, because a pointer selects or draws it. */
  private withoutScrolling(work: () => void) {
    this.scrolls = false;
    try {
      work();
    } finally {
      this.scrolls = true;
    }
  }

  /** A pointer has moved or resized a box: a model's only on a page that was looked at. */
  private drag(type: "box_moved" | "box_resized", payload: Pt.BoxMoved | Pt.BoxResized) {
    const box = getBox(this.data.state.boxes, payload.box);
    if (box?.model && !this.host.readiness.mayDrag(pageUnit(box, "boxes"))) return;
    this.reshape(type, payload);
  }

  reshape(type: "box_moved" | "box_resized", payload: Pt.BoxMoved | Pt.BoxResized) {
    const box = getBox(this.data.state.boxes, payload.box);
    if (!box || box.deleted || rectsEqual(box.rect, payload.rect)) return;
    this.attempt.together(() => {
      this.attempt.record(type, payload);
      fillBox(this, box.id, box.rect);
    });
  }

  /** Choose a tool, or put it away if it is the current one. */
  toggleTool(tool: string) {
    const isOffered = tool === "box" && this.open.insertsWords;
    if (!isOffered && (tool === "text" ? !this.open.selects : !this.open.enabled)) return false;
    this.flush();
    this.page.cancel();
    const next = tool === this.data.tool ? "pan" : tool;
    if (next === "box" && !this.open.draws) {
      if (this.data.page) this.showHint(this.open.refusal() ?? "");
      return true;
    }
    if (next !== "text") this.text.clear();
    this.attempt.store.set({
      tool: next,
      boxesHidden: next === "box" ? false : this.data.boxesHidden,
    });
    const { page } = this.data;
    if (!page) return true;
    if (next !== "pan") this.words.load(page);
    const refusal = next === "box" ? this.open.refusal() : null;
    if (refusal) this.showHint(refusal);
    else if (next === "text" || this.open.insertsWords) this.warnWithoutText(page);
    return true;
  }

  private async warnWithoutText(page: Pt.OpenPage) {
    const words = await this.words.load(page);
    if (!words.length && page === this.data.page)
      this.showHint(t("This page has no text that can be selected."));
  }

  private async insertWordsIn(rect: Pt.Rect) {
    const { page } = this.data;
    if (!page) return;
    const words = wordsIn(rect, await this.words.load(page));
    if (words.length) this.onWords(asParagraphs(words), rect[1]);
    else this.showHint(t("No words were recognised there. Type them."));
  }

  private insertSelection() {
    const { text } = this;
    if (!this.open.insertsWords || !text.selected.length) return false;
    this.onWords(asParagraphs(text.selected), boundingRect(text.rects)[1]);
    this.outline.leave();
    return true;
  }

  /** Give up a drawing, a selection, box mode: the first of them that there is. */
  cancel() {
    if (this.page.cancel() || this.text.clear()) return true;
    if (this.selected) {
      this.flush();
      this.attempt.store.set({ selected: null });
      return true;
    }
    if (this.stage.tool === "pan") return false;
    this.attempt.store.set({ tool: "pan" });
    return true;
  }

  /** Outline text for a box around it; what was drawn before is let go of. */
  outlineText(step: OutlineStep) {
    if (!this.open.draws || this.data.tool !== "box" || !this.data.page) return false;
    if (this.page.isBusy) return false;
    this.flush();
    if (this.data.selected) this.attempt.store.set({ selected: null });
    this.outline.step(step);
    return true;
  }

  /**
   * Put a box around the outlined text, or into the middle of what is in view: drawing without a
   * pointer.
   */
  place() {
    if (!this.open.draws || this.data.tool !== "box" || this.selected || !this.data.page)
      return false;
    this.outline.afterSteps(() => this.placeOutlined());
    return true;
  }

  private placeOutlined() {
    if (!this.open.insertsWords)
      return this.text.range ? this.boxSelection() : this.placeInMiddle();
    if (!this.text.range)
      this.showHint(t("{next} outlines a block of text.", { next: keyName("nextBlock") }));
    return this.insertSelection();
  }

  private placeInMiddle() {
    const { x, y } = this.stage.centre();
    const middle = this.stage.toPagePoint(x, y);
    const [width, height] = this.stage.pageSize;
    const least = this.data.protocol.boxes.min_size;
    const half = (side: number) => Math.max(least, side / 8) / 2;
    const [dx, dy] = [half(width), half(height)];
    const at = { x: clamp(middle.x, dx, width - dx), y: clamp(middle.y, dy, height - dy) };
    const rect = rectBetween(
      { x: at.x - dx, y: at.y - dy },
      { x: at.x + dx, y: at.y + dy },
      this.stage.pageSize,
    );
    if (!this.add({ rect, label: this.open.activeLabel, how: "drawn" })) return false;
    this.hold();
    return true;
  }

  /** Let the arrow keys move the chosen box, which one that was only just drawn does not. */
  hold() {
    if (!this.selected) return false;
    this.resizing = null;
    this.attempt.store.set({ held: this.selected.id });
    this.showHint(
      t("The arrow keys move the box; {key} lets them resize it, Esc lets go of it.", {
        key: keyName("resizeBox"),
      }),
    );
    return true;
  }

  /** Let the arrow keys resize the held box by its right and lower edges, or move it again. */
  switchResizing() {
    const { selected } = this;
    if (!selected || !this.held) return false;
    if (this.resizing === selected.id) return this.hold();
    this.flush();
    this.resizing = selected.id;
    this.showHint(
      t("The arrow keys resize the box; {key} lets them move it, Esc lets go of it.", {
        key: keyName("resizeBox"),
      }),
    );
    return true;
  }

  remove() {
    const box = this.changeable();
    if (!box) return false;
    const seen = this.judge(box);
    if (seen)
      this.host.change(() => void this.attempt.record("box_deleted", { box: box.id, ...seen }));
    return true;
  }

  duplicate() {
    const box = this.changeable();
    if (!box) return false;
    const step = (by: number) => moved(box.rect, by, by, this.stage.pageSize);
    const rect = rectsEqual(step(OFFSET), box.rect) ? step(-OFFSET) : step(OFFSET);
    const copy: NewBox = {
      rect,
      label: box.label ?? this.open.activeLabel,
      how: "duplicated",
      copy_of: box.id,
    };
    if (this.add(copy)) this.attempt.store.set({ held: this.data.selected });
    return true;
  }

  /**
   * Move or resize the chosen box by a step.
   * @param dx points to the right, as the page is turned on the screen
   * @param dy points down
   */
  nudge(dx: number, dy: number) {
    const box = this.selected;
    if (!box || !this.held || !this.open.editable || this.data.boxesHidden) return false;
    if (this.page.isBusy) return false;
    if (!this.nudged && !this.judge(box)) return true;
    const isResized = this.resizing === box.id;
    const from = this.nudged?.rect ?? box.rect;
    const rect = isResized
      ? this.resizedBy(from, dx, dy)
      : moved(from, ...pageStep(dx, dy, this.stage.view.rotation), this.stage.pageSize);
    clearTimeout(this.nudgeTimer);
    this.nudged = { id: box.id, rect, isResized };
    this.page.setDraft(this.nudged);
    this.stage.reveal(rect);
    this.nudgeTimer = setTimeout(() => this.flush(), NUDGE_MS);
    return true;
  }

  /** A box whose right or lower edge on the screen has moved by a step. */
  private resizedBy(rect: Pt.Rect, dx: number, dy: number) {
    const { view, pageSize } = this.stage;
    const edge = edgeOfStep(dx, view.rotation);
    const [x, y] = handlePoint(rect, edge);
    const [right, down] = pageStep(dx, dy, view.rotation);
    const point = { x: x + right, y: y + down };
    return resized(rect, edge, point, pageSize, this.data.protocol.boxes.min_size);
  }

  /** Hand gathered steps to the outbox now. */
  flush() {
    const { nudged } = this;
    if (!nudged) return;
    clearTimeout(this.nudgeTimer);
    this.nudged = null;
    const { id, rect, isResized } = nudged;
    if (isResized) this.reshape("box_resized", { box: id, rect });
    else this.reshape("box_moved", { box: id, rect, how: "nudge" });
    this.page.setDraft(null);
    const [x0, y0, x1, y1] = rect.map(Math.round);
    this.stage.announce(
      isResized
        ? t("{width} by {height} points", { width: x1 - x0, height: y1 - y0 })
        : t("At {x}, {y} points", { x: x0, y: y0 }),
    );
  }

  /** Give the chosen box a label; new boxes get it too from now on. */
  label(name: string) {
    if (!this.open.enabled || !this.data.protocol.boxes.labels.some((label) => label.name === name))
      return false;
    this.flush();
    const box = this.selected;
    const isChanged = box !== null && this.open.editable && box.label !== name;
    const seen = isChanged ? this.judge(box) : {};
    if (!seen) return true;
    this.attempt.store.set({ activeLabel: name });
    if (isChanged)
      this.host.change(
        () => void this.attempt.record("box_labelled", { box: box.id, label: name, ...seen }),
      );
    return true;
  }

  /** Hide the boxes, or show them again. */
  toggleHidden() {
    if (!this.open.enabled) return false;
    this.flush();
    this.page.cancel();
    const boxesHidden = !this.data.boxesHidden;
    this.attempt.store.set({ boxesHidden, selected: boxesHidden ? null : this.data.selected });
    return true;
  }

  /** Snap edges to words, or stop doing so; remembered in this browser. */
  toggleSnap() {
    if (!this.open.enabled || !this.data.protocol.boxes.snap) return false;
    this.host.remember({ snap: !this.open.snapping });
    return true;
  }

  /**
   * Choose the next box, in the order of the list.
   * @param wrap whether the first follows the last
   * @returns false at the end, or without boxes
   */
  selectNext(step: 1 | -1 = 1, { wrap = true }: { wrap?: boolean } = {}): boolean {
    const boxes = ordered(this.open.boxes, this.data.protocol.boxes);
    if (!boxes.length || this.data.boxesHidden) return false;
    this.flush();
    const here = boxes.findIndex((box) => box.id === this.data.selected);
    let next = here < 0 ? (step > 0 ? 0 : boxes.length - 1) : here + step;
    if (!boxes[next]) {
      if (!wrap) return false;
      next = (next + boxes.length) % boxes.length;
    }
    this.attempt.store.set({ selected: boxes[next].id, held: boxes[next].id });
    return true;
  }

  /** Choose a box, on whichever page it is. */
  show(id: string) {
    const box = getBox(this.data.state.boxes, id);
    if (!box || box.deleted) return false;
    const { page } = this.data;
    this.attempt.store.set({ boxesHidden: false });
    if (page?.document === box.document && page.page === box.page) {
      this.attempt.store.set({ selected: id });
    } else {
      this.selectOncePageOpens = id;
      this.host.goTo({ document: box.document, page: box.page });
    }
    return true;
  }

  /** Draw a box around the selected words. */
  private boxSelection() {
    if (!this.open.enabled || !this.text.rects.length) return false;
    const { pageSize } = this.stage;
    const selected = expanded(boundingRect(this.text.rects), PADDING, pageSize);
    const rect = withMinimumSize(selected, this.data.protocol.boxes.min_size, pageSize);
    if (this.add({ rect, label: this.open.activeLabel, how: "selection" })) this.outline.leave();
    return true;
  }

  private changeable() {
    this.flush();
    return this.open.editable && !this.page.isBusy ? this.selected : null;
  }

  /** Where a new box comes in the reading order. */
  private orderOf(rect: Pt.Rect, page: Pt.Place, copied?: string | null) {
    const { protocol, state } = this.data;
    if (!protocol.boxes.order) return {};
    const here = listed(state.boxes, protocol.boxes, page);
    const order = orderAfter(here, null, copied ?? likelyBefore(here, rect));
    return order === undefined ? {} : { order };
  }

  /** Draw the kept boxes of the open page that count now, if there are any. */
  private addPendingThatNowCount() {
    const boxes = this.pending.counting;
    if (!boxes.length) return false;
    this.showHint("");
    this.addPending(boxes);
    return true;
  }

  /** Draw kept boxes of the open page. */
  addPending(boxes: readonly PendingBox[]) {
    this.attempt.together(() => {
      this.pending.remove(boxes);
      for (const { rect, label, how } of boxes) this.add({ rect, label, how });
    });
  }

  discardPending(boxes: readonly PendingBox[]) {
    this.pending.remove(boxes);
  }

  /** The server refused a box: it stays on the page as a suggestion. */
  keepRefused({ document, page, rect, label, how }: Pt.BoxDrawn) {
    this.pending.add({ document, page, rect, label, how });
  }

  /** Put a new box on the open page and choose it. */
  private add({ rect, label, how, copy_of }: NewBox) {
    const refusal = this.open.refusal();
    if (refusal) {
      this.showHint(refusal);
      return false;
    }
    const { page: place } = this.data;
    if (!place || label === null) return false;
    const { document, page } = place;
    const reason = this.open.pendingReason();
    if (reason) {
      this.pending.add({ document, page, rect, label, how });
      this.attempt.store.set({ activeLabel: label, boxesHidden: false });
      this.showHint(reason);
      return true;
    }
    const box = `b-${this.attempt.nextId()}`;
    const from = copy_of ? { copy_of } : {};
    const order = this.orderOf(rect, place, copy_of);
    const drawn = { box, document, page, rect, label, how, ...from, ...order };
    this.withoutScrolling(() =>
      this.host.change(() =>
        this.attempt.together(() => {
          this.attempt.record("box_drawn", drawn);
          fillBox(this, box, null);
          this.attempt.store.set({ activeLabel: label, boxesHidden: false, selected: box });
        }),
      ),
    );
    return true;
  }
}
