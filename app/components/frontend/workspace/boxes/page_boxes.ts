/**
 * The boxes of the open page on the stage: shown, and drawn, moved and chosen by pointers. What
 * comes of that is in boxes/box_commands.ts.
 */

import { verdict } from "../../shared/box_state";
import { labelTitle, lookOf } from "../../shared/label_styles";
import { BoxLayer } from "../../shared/page/box_layer";
import type { Stage } from "../../shared/page/page_stage";
import type { PageWords } from "../viewer/page_words";
import { TextSelection } from "../viewer/text_selection";
import { ordered } from "./element_order";
import { BoxGestures, type GestureHost } from "./gestures";
import type { OpenPageBoxes } from "./open_page_boxes";
import type { PendingBox } from "./pending_boxes";
import { snapped } from "./snapping";

const SNAP_PX = 6;

type Look = (label: string | null) => Pt.Look;

export interface BoxPageCallbacks {
  /** A pointer comes down, or the pane loses the focus: what keys have moved is handed over. */
  onLeave: () => void;
  /** @param onPurpose by a click, not by drawing or dragging */
  onSelect: (id: string | null, onPurpose: boolean) => void;
  onDraw: (rect: Pt.Rect) => void;
  onMove: (id: string, rect: Pt.Rect) => void;
  onResize: (id: string, rect: Pt.Rect) => void;
  /** Selected words are on the clipboard. */
  onCopy: (text: string) => void;
}

export class BoxPage implements GestureHost {
  readonly text: TextSelection;
  private readonly layer: BoxLayer<Pt.PageBox>;
  private readonly gestures: BoxGestures;
  private place: string | null = null;
  private look: { labels: Pt.BoxLabel[]; of: Look } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly open: OpenPageBoxes,
    private readonly words: PageWords,
    private readonly callbacks: BoxPageCallbacks,
  ) {
    this.layer = new BoxLayer(stage, verdict);
    this.gestures = new BoxGestures(stage, this.layer, this);
    this.text = new TextSelection(stage, {
      words: () => (open.data.page ? words.load(open.data.page) : Promise.resolve([])),
      onCopy: callbacks.onCopy,
    });
    stage.onPress = (event) => this.press(event);
    stage.onLayout = () => {
      this.layer.layout();
      this.text.offer();
    };
    stage.pane.addEventListener("blur", () => callbacks.onLeave());
  }

  /** Whether something is being drawn or dragged. */
  get isBusy() {
    return this.gestures.busy;
  }

  /**
   * Show the boxes as they are now.
   * @param pending that do not count yet
   * @returns whether the page is another one
   */
  update(pending: readonly PendingBox[]) {
    const { open, stage, gestures, text } = this;
    const { attempt, page, protocol, selected, boxesHidden, tool } = open.data;
    const isOffered =
      open.enabled || (open.selects && tool === "text") || (open.insertsWords && tool === "box");
    stage.setTool(isOffered ? tool : "pan");
    const place = page && `${page.page}/${page.document}/${attempt}`;
    const isTurned = place !== this.place;
    if (isTurned) {
      this.place = place;
      gestures.cancel();
      text.clear();
      if (page && stage.tool !== "pan") this.words.load(page);
    }
    const { boxes } = open;
    const held = gestures.box;
    if (held && !boxes.some((box) => box.id === held.id)) gestures.cancel();
    text.offer();
    // Without a page too: boxes of the task before would be laid out on a page that is gone.
    this.layer.update({
      boxes,
      selected: boxes.some((box) => box.id === selected) ? selected : null,
      hidden: boxesHidden,
      readOnly: !open.editable,
      look: this.lookOf(protocol.boxes.labels),
      titleOf: (label) => labelTitle(protocol.boxes.labels, label),
      seed: protocol.boxes.seed,
    });
    this.layer.setPending(boxesHidden ? [] : pending);
    if (page) stage.pane.toggleAttribute("data-refused", tool === "box" && open.refusal() !== null);
    return isTurned;
  }

  /** The same function for the same labels, so that boxes are not painted again. */
  private lookOf(labels: Pt.BoxLabel[]) {
    if (this.look?.labels !== labels) this.look = { labels, of: (label) => lookOf(labels, label) };
    return this.look.of;
  }

  /** Announce a chosen box, and bring it into view where `reveals`. */
  revealAndAnnounce(id: string, reveals: boolean) {
    const boxes = ordered(this.open.boxes, this.open.data.protocol.boxes);
    const box = boxes.find((other) => other.id === id);
    if (!box) return;
    if (reveals) this.stage.reveal(box.rect);
    this.stage.announce(this.layer.words(box, boxes));
  }

  /** Show a box where keys have moved it to; null shows it where it is. */
  setDraft(draft: { id: string; rect: Pt.Rect } | null) {
    this.layer.setDraft(draft);
  }

  /**
   * Give up what is being drawn or dragged.
   * @returns whether there was something
   */
  cancel() {
    return this.gestures.cancel();
  }

  private press(event: PointerEvent) {
    const { page } = this.open.data;
    if (this.stage.tool === "text") {
      this.callbacks.onLeave();
      return this.text.press(event);
    }
    if (!this.open.enabled && this.stage.tool !== "box") return false;
    this.callbacks.onLeave();
    this.text.clear();
    if (this.stage.tool === "box" && page) this.words.load(page);
    return this.gestures.press(event);
  }

  // What gestures ask and tell.

  model() {
    const { open } = this;
    const { selected, boxesHidden, protocol } = open.data;
    return {
      boxes: open.boxes,
      selected,
      hidden: boxesHidden,
      editable: open.editable,
      label: open.activeLabel,
      least: open.insertsWords ? 1 : protocol.boxes.min_size,
    };
  }

  refusal() {
    return this.open.refusal();
  }

  snap(rect: Pt.Rect, handle: string | null, suspended: boolean) {
    const { page, protocol } = this.open.data;
    if (suspended || !page || !this.open.snapping) return { rect, guides: [] };
    const reach = SNAP_PX / this.stage.scale;
    return snapped(rect, handle, this.words.known(page) ?? [], reach, protocol.boxes.min_size);
  }

  select(id: string | null, onPurpose: boolean = false) {
    this.callbacks.onSelect(id, onPurpose);
  }

  drawn(rect: Pt.Rect) {
    this.callbacks.onDraw(rect);
  }

  moved(id: string, rect: Pt.Rect) {
    this.callbacks.onMove(id, rect);
  }

  resized(id: string, rect: Pt.Rect) {
    this.callbacks.onResize(id, rect);
  }

  showHint(text: string) {
    this.stage.showHint(text);
  }
}
