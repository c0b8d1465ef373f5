/**
 * The boxes of the open page: shown, chosen, and changed by pointers. The store's `selected` may be
 * set by others too: the page then brings that box into view. What buttons and keys do with boxes
 * is in boxes/box_commands.ts.
 */

import { boxesOn, getBox } from "../../shared/box_state";
import { lookOf } from "../../shared/label_styles";
import { BoxLayer } from "../../shared/page/box_layer";
import type { Stage } from "../../shared/page/page_stage";
import { inOrder, same } from "../../shared/page/rectangles";
import { sentence } from "../../shared/sentences";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";
import { formOf } from "../state/form_state";
import { PageWords } from "../viewer/page_words";
import { TextSelection } from "../viewer/text_selection";
import { fillBox } from "./box_filling";
import { drawRefusal } from "./drawing_rules";
import { BoxGestures } from "./gestures";
import { snapped } from "./snapping";

const SNAP_PX = 6;

export class BoxPage {
  stage: Stage;
  store: Pt.Store;
  attempt: Attempt;
  remember: (change: any) => void;
  goTo: (place: any) => void;
  /** a box that steps move, not recorded yet */
  nudged: { id: string; rect: Pt.Rect } | null;
  /** to be chosen once its page is open */
  wanted: string | null;
  shown: string | null;
  words: PageWords;
  layer: BoxLayer;
  gestures: BoxGestures;
  text: TextSelection;
  lookOf: ((label: string) => any) | undefined;
  pointing: boolean | undefined;

  /** Hand over what was moved by keys; box_commands.ts does. */
  flush() {}

  /** Draw a box around the selected words; box_commands.ts does. */
  boxSelection() {}

  /** Draw a box; box_commands.ts does. */
  add(_box: Record<string, any>): any {}

  labels: any;

  shownPlace: any;

  constructor({
    stage,
    store,
    attempt,
    remember,
    goTo,
  }: {
    stage: Stage;
    store: Pt.Store;
    attempt: Attempt;
    /** keeps a part of the layout */
    remember: (change: any) => void;
    /** opens a page */
    goTo: (place: any) => void;
  }) {
    this.stage = stage;
    this.store = store;
    this.attempt = attempt;
    this.remember = remember;
    this.goTo = goTo;
    this.nudged = null;
    this.wanted = null;
    this.shown = null;
    this.words = new PageWords((place) => attempt.api.words(attempt.id, place));
    this.layer = new BoxLayer(stage);
    this.gestures = new BoxGestures(stage, this.layer, this);
    this.text = new TextSelection(stage, {
      words: () => (this.data.page ? this.words.load(this.data.page) : Promise.resolve([])),
      onCopy: (text: string) => this.copied(text, "clipboard"),
    });
    this.text.addOffer(
      "Box around selection",
      { testid: "box-selection" },
      () => this.boxSelection(),
      () => this.editable && this.data.protocol.boxes.add,
    );
    stage.onPress = (event) => this.press(event);
    stage.onLayout = () => {
      this.layer.layout();
      this.text.offer();
    };
    stage.pane.addEventListener("blur", () => this.flush());
    const keys: Pt.WatchedKeys = [
      "state",
      "page",
      "protocol",
      "given",
      "tool",
      "selected",
      "boxesHidden",
      "timeOver",
    ];
    store.watch(keys, (data) => data.state && this.update(data));
  }

  get data() {
    return this.store.data;
  }

  get enabled() {
    return Boolean(this.data.protocol?.boxes.enabled);
  }

  /** Whether words of pages can be selected. */
  get selects() {
    return this.enabled || Boolean(this.data.protocol?.text.select);
  }

  /** Selected words went somewhere. */
  copied(text: string, to: "clipboard" | "answer") {
    const { document, page } = this.data.page;
    this.attempt.record("text_copied", { document, page, text: clean(text), to });
  }

  get editable() {
    return this.enabled && this.attempt.mayEdit;
  }

  /** The boxes of the open page. */
  get boxes() {
    const { page, state } = this.data;
    return page && this.enabled ? boxesOn(state.boxes, page.document, page.page) : [];
  }

  /** The chosen box, or null. */
  get selected() {
    const { selected } = this.data;
    return selected === null
      ? null
      : (this.boxes.find((box: Pt.PageBox) => box.id === selected) ?? null);
  }

  /** Whether the chosen box was chosen on purpose (by click, Tab, Enter), so that keys move it. */
  get held() {
    return this.selected !== null && this.data.held === this.data.selected;
  }

  /** The label that a new box gets. */
  get activeLabel() {
    const { labels } = this.data.protocol.boxes;
    const known = labels.find(({ name }) => name === this.data.activeLabel);
    return (known ?? labels[0])?.name ?? null;
  }

  /** The store has changed. */
  update(data: Pt.WorkspaceData) {
    const { page, protocol, selected, boxesHidden, tool } = data;
    this.stage.setTool(this.enabled || (this.selects && tool === "text") ? tool : "pan");
    const place = page && `${page.page}/${page.document}/${data.attempt}`;
    const turned = place !== this.shownPlace;
    if (turned) {
      this.shownPlace = place;
      this.gestures.cancel();
      this.text.clear();
      if (page && this.stage.tool !== "pan") this.words.load(page);
    }
    const { boxes } = this;
    const chosen = boxes.some((box: Pt.PageBox) => box.id === selected) ? selected : null;
    if (this.nudged && this.nudged.id !== chosen) this.flush();
    const held = this.gestures.box;
    if (held && !boxes.some((box: Pt.PageBox) => box.id === held.id)) this.gestures.cancel();
    this.text.offer();
    if (page) {
      this.layer.update({
        boxes,
        selected: chosen,
        hidden: boxesHidden,
        readOnly: !this.editable,
        look: (this.look as any)(protocol.boxes.labels),
        seed: protocol.boxes.seed,
      });
      this.stage.pane.toggleAttribute("data-refused", tool === "box" && this.refusal() !== null);
    }
    if (this.wanted && boxes.some((box: Pt.PageBox) => box.id === this.wanted)) {
      const id = this.wanted;
      this.wanted = null;
      this.store.set({ selected: id });
      return;
    }
    if (turned) this.wanted = null;
    // Selected again later, by undo or from a list, it moves by keys only after Enter.
    if (![chosen, this.wanted].includes(data.held ?? null)) this.store.set({ held: null });
    if (chosen !== selected) {
      this.store.set({ selected: chosen });
      return;
    }
    if (chosen !== this.shown) {
      this.shown = chosen;
      if (chosen) this.tell(chosen);
    }
  }

  look(labels: Pt.BoxLabel[]) {
    if (this.labels !== labels) {
      this.labels = labels;
      this.lookOf = (label: string) => lookOf(labels, label);
    }
    return this.lookOf;
  }

  /** Bring a chosen box into view, and into hearing. */
  tell(id: string) {
    const boxes = inOrder(this.boxes);
    const box = boxes.find((other) => other.id === id);
    if (!box) return;
    if (!this.pointing) this.stage.reveal(box.rect);
    this.stage.say(this.layer.words(box, boxes));
  }

  press(event: PointerEvent) {
    if (this.stage.tool === "text") {
      this.flush();
      return this.text.press(event);
    }
    if (!this.enabled) return false;
    this.flush();
    if (this.stage.tool === "box") this.words.load(this.data.page);
    return this.gestures.press(event);
  }

  // What gestures ask and tell.

  model() {
    const { selected, boxesHidden, protocol } = this.data;
    return {
      boxes: this.boxes,
      selected,
      hidden: boxesHidden,
      editable: this.editable,
      label: this.activeLabel,
      least: protocol.boxes.min_size,
    };
  }

  /** Why no box can be drawn on the open page, or null. */
  refusal() {
    if (this.data.timeOver) return sentence("time_over");
    return drawRefusal(formOf(this.data), this.data.page);
  }

  snap(rect: number[], handle: string | null, suspended: boolean) {
    const { page, protocol } = this.data;
    if (suspended || !this.snapping) return { rect, guides: [] };
    const reach = SNAP_PX / this.stage.scale;
    return snapped(rect, handle, this.words.known(page) ?? [], reach, protocol.boxes.min_size);
  }

  get snapping() {
    return this.enabled && this.data.protocol.boxes.snap && this.data.layout.snap !== false;
  }

  /** @param onPurpose by a click, not by drawing or dragging */
  select(id: string | null, onPurpose: boolean = false) {
    this.pointing = true;
    this.store.set(onPurpose ? { selected: id, held: id } : { selected: id });
    this.pointing = false;
  }

  hint(text: string) {
    this.stage.hint(text);
  }

  drawn(rect: number[]) {
    this.add({ rect, label: this.activeLabel, how: "drawn" });
  }

  /** @param box its id */
  moved(box: string, rect: number[]) {
    this.reshape("box_moved", { box, rect: rect as Pt.Rect, how: "drag" });
  }

  /** @param box its id */
  resized(box: string, rect: number[]) {
    this.reshape("box_resized", { box, rect: rect as Pt.Rect });
  }

  reshape(type: "box_moved" | "box_resized", payload: Pt.BoxMoved | Pt.BoxResized) {
    const box = getBox(this.data.state.boxes, payload.box);
    if (!box || box.deleted || same(box.rect, payload.rect)) return;
    this.attempt.together(() => {
      this.attempt.record(type, payload);
      fillBox(this, box.id, box.rect);
    });
  }
}
