/**
 * The boxes of the open page: shown, chosen, and changed by pointers. The store's `selected` may be
 * set by others too: the page then brings that box into view. What buttons and keys do with boxes
 * is in boxes/box_commands.js.
 */

import { boxesOn, getBox } from "../../shared/box_state.js";
import { lookOf } from "../../shared/label_styles.js";
import { BoxLayer } from "../../shared/page/box_layer.js";
import { inOrder, same } from "../../shared/page/rectangles.js";
import { sentence } from "../../shared/sentences.js";
import { clean } from "../state/attempt_state.js";
import { formOf } from "../state/form_state.js";
import { PageWords } from "../viewer/page_words.js";
import { TextSelection } from "../viewer/text_selection.js";
import { fillBox } from "./box_filling.js";
import { drawRefusal } from "./drawing_rules.js";
import { BoxGestures } from "./gestures.js";
import { snapped } from "./snapping.js";

const SNAP_PX = 6;

export class BoxPage {
  /** Hand over what was moved by keys; box_commands.js does. */
  flush() {}

  /** Draw a box around the selected words; box_commands.js does. */
  boxSelection() {}

  /** Draw a box; box_commands.js does. @param {Record<string, any>} _box @returns {any} */
  add(_box) {}

  /** @type {any} */
  labels;

  /** @type {any} */
  shownPlace;

  /**
   * @param {Object} options
   * @param {import("../../shared/page/page_stage.js").Stage} options.stage
   * @param {import("../state/store.js").Store} options.store
   * @param {import("../state/attempt.js").Attempt} options.attempt
   * @param {(change: any) => void} options.remember keeps a part of the layout
   * @param {(place: any) => void} options.goTo opens a page
   */
  constructor({ stage, store, attempt, remember, goTo }) {
    this.stage = stage;
    this.store = store;
    this.attempt = attempt;
    this.remember = remember;
    this.goTo = goTo;
    /** @type {any} */
    this.nudged = null;
    /** @type {any} */
    this.wanted = null;
    /** @type {any} */
    this.shown = null;
    this.words = new PageWords((place) => attempt.api.words(attempt.id, place));
    this.layer = new BoxLayer(stage);
    this.gestures = new BoxGestures(stage, this.layer, this);
    this.text = new TextSelection(stage, {
      words: () => (this.data.page ? this.words.load(this.data.page) : Promise.resolve([])),
      onCopy: (/** @type {string} */ text) => this.copied(text, "clipboard"),
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
    const keys = [
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

  /** Selected words went somewhere. @param {string} text @param {"clipboard" | "answer"} to */
  copied(text, to) {
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
      : (this.boxes.find((/** @type {Pt.PageBox} */ box) => box.id === selected) ?? null);
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

  /** The store has changed. @param {Pt.WorkspaceData} data */
  update(data) {
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
    const chosen = boxes.some((/** @type {Pt.PageBox} */ box) => box.id === selected)
      ? selected
      : null;
    if (this.nudged && this.nudged.id !== chosen) this.flush();
    if (
      this.gestures.gesture?.box &&
      !boxes.some((/** @type {Pt.PageBox} */ box) => box.id === this.gestures.gesture.box.id)
    ) {
      this.gestures.cancel();
    }
    this.text.offer();
    if (page) {
      this.layer.update({
        boxes,
        selected: chosen,
        hidden: boxesHidden,
        readOnly: !this.editable,
        look: /** @type {any} */ (this.look)(protocol.boxes.labels),
        seed: protocol.boxes.seed,
      });
      this.stage.pane.toggleAttribute("data-refused", tool === "box" && this.refusal() !== null);
    }
    if (this.wanted && boxes.some((/** @type {Pt.PageBox} */ box) => box.id === this.wanted)) {
      const id = this.wanted;
      this.wanted = null;
      this.store.set({ selected: id });
      return;
    }
    if (turned) this.wanted = null;
    // Selected again later, by undo or from a list, it moves by keys only after Enter.
    if (![chosen, this.wanted].includes(data.held)) this.store.set({ held: null });
    if (chosen !== selected) {
      this.store.set({ selected: chosen });
      return;
    }
    if (chosen !== this.shown) {
      this.shown = chosen;
      if (chosen) this.tell(chosen);
    }
  }

  /** @param {Pt.BoxLabel[]} labels */
  look(labels) {
    if (this.labels !== labels) {
      this.labels = labels;
      this.lookOf = (/** @type {string} */ label) => lookOf(labels, label);
    }
    return this.lookOf;
  }

  /** Bring a chosen box into view, and into hearing. @param {string} id */
  tell(id) {
    const boxes = inOrder(this.boxes);
    const box = boxes.find((other) => other.id === id);
    if (!box) return;
    if (!this.pointing) this.stage.reveal(box.rect);
    this.stage.say(this.layer.words(box, boxes));
  }

  /** @param {any} event */
  press(event) {
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

  /** @param {Pt.Rect} rect @param {any} handle @param {any} suspended */
  snap(rect, handle, suspended) {
    const { page, protocol } = this.data;
    if (suspended || !this.snapping) return { rect, guides: [] };
    const reach = SNAP_PX / this.stage.scale;
    return snapped(rect, handle, this.words.known(page) ?? [], reach, protocol.boxes.min_size);
  }

  get snapping() {
    return this.enabled && this.data.protocol.boxes.snap && this.data.layout.snap !== false;
  }

  /** @param {string | null} id @param {boolean} [onPurpose] by a click, not by drawing or dragging */
  select(id, onPurpose = false) {
    this.pointing = true;
    this.store.set(onPurpose ? { selected: id, held: id } : { selected: id });
    this.pointing = false;
  }

  /** @param {string} text */
  hint(text) {
    this.stage.hint(text);
  }

  /** @param {Pt.Rect} rect */
  drawn(rect) {
    this.add({ rect, label: this.activeLabel, how: "drawn" });
  }

  /** @param {string} box its id @param {Pt.Rect} rect */
  moved(box, rect) {
    this.reshape("box_moved", { box, rect, how: "drag" });
  }

  /** @param {string} box its id @param {Pt.Rect} rect */
  resized(box, rect) {
    this.reshape("box_resized", { box, rect });
  }

  /**
   * @param {"box_moved" | "box_resized"} type
   * @param {Pt.BoxMoved | Pt.BoxResized} payload
   */
  reshape(type, payload) {
    const box = getBox(this.data.state.boxes, payload.box);
    if (!box || box.deleted || same(box.rect, payload.rect)) return;
    this.attempt.together(() => {
      this.attempt.record(type, payload);
      fillBox(this, box.id, box.rect);
    });
  }
}
