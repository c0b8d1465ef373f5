/**
 * Draws the boxes of the open page: outlines in the stage's SVG (page points, so zoom and turning
 * cost nothing), names and handles as upright HTML over it, placed in percent of the frame. Each box
 * has its own nodes, found by its id and changed in place; nothing is ever rebuilt.
 *
 * Line patterns tell labels apart, or, where a model's elements are verified, what became of them:
 * dashed is open, solid is judged.
 */

import { h, setAttr, setText, svg } from "../dom";
import { icon } from "../icons";
import { N_, t } from "../messages";
import type { Stage } from "./page_stage";
import { HANDLES, handlePoint, rectsEqual, shownHandle } from "./rectangles";

const TAG_HEIGHT = 18;
/** Up to this height in pixels a box counts as a line of text or a row of a table. */
const LINE_HEIGHT = 56;
const MARGIN = 12;
const HANDLE = 24; // as in viewer.css
const ROOM_FOR_EDGES = 56;
const VERDICT_ICONS: Record<string, string> = {
  accepted: "check",
  corrected: "pencil",
  open: "circle",
};
const NO_LOOK: Pt.Look = { line: "", ink: "", dash: "none" };
const VERDICT_WORDS: Record<string, string> = {
  accepted: N_("accepted"),
  corrected: N_("corrected"),
  open: N_("not checked"),
};

interface LayerBox {
  id: string;
  rect: Pt.Rect;
  label: string | null;
}

/** What is shown. */
interface LayerModel<Box> {
  /** those of the open page that are not deleted, as in the state */
  boxes: Box[];
  selected: string | null;
  hidden: boolean;
  /** no handles */
  readOnly: boolean;
  /** from label_palette.ts */
  look: (label: string | null) => Pt.Look;
  /** a label as it is shown */
  titleOf: (label: string | null) => string | null;
  /** whether a model's elements are verified */
  seed: boolean;
}

interface Draft {
  id: string;
  rect: Pt.Rect;
}

/** A box with its nodes, and what these show. */
class DrawnBox<Box extends LayerBox> {
  readonly halo = svg("rect", { class: "box-halo" });
  readonly line = svg("rect", { class: "box-line" });
  readonly node: SVGGElement;
  readonly name = h("span", {});
  readonly mark = h("span", { class: "icon-slot" });
  readonly tag: HTMLElement;
  rect: Pt.Rect | null = null;
  glyph: string | undefined;
  label: string | null | undefined;

  constructor(public box: Box) {
    this.node = svg("g", { class: "box", "data-testid": "box", "data-id": box.id });
    this.node.append(this.halo, this.line);
    this.tag = h("span", { class: "box-tag", testid: "box-tag", "data-id": box.id });
    this.tag.append(this.mark, this.name);
  }
}

export class BoxLayer<Box extends LayerBox> {
  stage: Stage;
  entries: Map<string, DrawnBox<Box>>;
  model: LayerModel<Box>;
  draft: Draft | null;
  frames: SVGRectElement[];
  band: SVGRectElement;
  guides: SVGPathElement;
  group: SVGGElement;
  /** boxes that do not count yet */
  pending: SVGGElement;
  handles: HTMLSpanElement[];

  /** @param verdictOf what became of a box */
  constructor(
    stage: Stage,
    private readonly verdictOf: (box: Box) => string,
  ) {
    this.stage = stage;
    this.entries = new Map();
    this.model = {
      boxes: [],
      selected: null,
      hidden: false,
      readOnly: false,
      look: () => NO_LOOK,
      titleOf: (label) => label,
      seed: false,
    };
    this.draft = null;
    this.frames = [svg("rect", { class: "box-around" }), svg("rect", { class: "box-selected" })];
    this.band = svg("rect", { class: "box-band", visibility: "hidden" });
    this.guides = svg("path", { class: "box-guides" });
    this.group = svg("g", {});
    this.pending = svg("g", {});
    stage.boxes.append(this.group, this.pending, ...this.frames, this.guides, this.band);
    this.handles = Object.keys(HANDLES).map((edge) =>
      h("span", { class: "box-handle", testid: "box-handle", "data-edge": edge, hidden: true }),
    );
    stage.marks.append(...this.handles);
  }

  /** Show boxes. */
  update(model: LayerModel<Box>) {
    const repaint = model.look !== this.model.look || model.seed !== this.model.seed;
    this.model = model;
    const wanted = new Set(model.boxes.map((box) => box.id));
    for (const [id, entry] of this.entries) {
      if (wanted.has(id)) continue;
      entry.node.remove();
      entry.tag.remove();
      this.entries.delete(id);
    }
    for (const box of model.boxes) {
      const known = this.entries.get(box.id);
      const entry = known ?? this.add(box);
      if (!known || repaint || entry.box !== box) this.paint(entry, box);
      entry.tag.classList.toggle("selected", box.id === model.selected);
    }
    setAttr(this.stage.boxes, "visibility", model.hidden ? "hidden" : null);
    this.stage.marks.classList.toggle("hidden", model.hidden);
    this.placeSelection();
  }

  private add(box: Box) {
    const entry = new DrawnBox(box);
    this.entries.set(box.id, entry);
    this.group.append(entry.node);
    this.stage.marks.insertBefore(entry.tag, this.handles[0]);
    return entry;
  }

  /** Bring one box's nodes up to date. */
  private paint(entry: DrawnBox<Box>, box: Box) {
    entry.box = box;
    const kind = this.verdictOf(box);
    const look = this.model.look(box.label);
    const dash = this.model.seed ? (kind === "open" ? "6 4" : "none") : look.dash;
    setAttr(entry.node, "data-label", box.label ?? "");
    setAttr(entry.node, "data-verdict", kind);
    entry.line.style.stroke = look.line;
    entry.line.style.fill = look.line;
    entry.line.style.strokeDasharray = dash;
    Object.assign(entry.tag.style, { background: look.line, color: look.ink });
    setText(entry.name, this.model.titleOf(box.label) ?? t("No label"));
    const glyph: string | undefined = this.model.seed ? VERDICT_ICONS[kind] : undefined;
    if (entry.glyph !== glyph) entry.mark.replaceChildren(...(glyph ? [icon(glyph)] : []));
    const resized = entry.glyph !== glyph || entry.label !== box.label;
    Object.assign(entry, { glyph, label: box.label });
    this.place(entry, resized);
  }

  /** The rectangle as shown: where it is being dragged to, else where it is. */
  private rectOf(box: Box) {
    return this.draft?.id === box.id ? this.draft.rect : box.rect;
  }

  private place(entry: DrawnBox<Box>, force = false) {
    const rect = this.rectOf(entry.box);
    const moved = !entry.rect || !rectsEqual(entry.rect, rect);
    if (!moved && !force) return;
    if (moved) {
      entry.rect = rect;
      setRect(entry.halo, rect);
      setRect(entry.line, rect);
    }
    this.placeTag(entry, rect);
  }

  /**
   * The name is at the box's upper left corner as the page is turned: left of a box as low as a
   * line of text or a row of a table, so that the line above stays readable, or right of it; else
   * above it, or inside where there is no room.
   */
  private placeTag(entry: DrawnBox<Box>, rect: Pt.Rect) {
    const { left, top, right, bottom, width, height } = this.stage.shown(rect);
    const letters = (this.model.titleOf(entry.box.label) ?? t("No label")).length;
    const wide = letters * 6.5 + (entry.glyph ? 26 : 12);
    const low = (bottom - top) * height < LINE_HEIGHT;
    const before = low && left * width + MARGIN > wide;
    const after = low && !before && right * width + wide < width + MARGIN;
    const beside = before || after;
    const flush = !beside && left * width + wide > width && right * width > wide;
    const inside = !beside && top * height < TAG_HEIGHT;
    const { style } = entry.tag;
    style.top = `${100 * top}%`;
    style.left = flush ? "auto" : `${100 * (after ? right : left)}%`;
    style.right = flush ? `${100 * (1 - right)}%` : "auto";
    entry.tag.classList.toggle("before", before);
    entry.tag.classList.toggle("after", after);
    entry.tag.classList.toggle("inside", inside);
  }

  /** Zoom or rotation changed. */
  layout() {
    for (const entry of this.entries.values()) this.place(entry, true);
    this.placeSelection();
  }

  placeSelection() {
    const { selected, readOnly, hidden } = this.model;
    const entry = selected === null || hidden ? undefined : this.entries.get(selected);
    for (const frame of this.frames) setAttr(frame, "visibility", entry ? null : "hidden");
    if (!entry) {
      for (const handle of this.handles) handle.hidden = true;
      return;
    }
    const rect = this.rectOf(entry.box);
    for (const frame of this.frames) setRect(frame, rect);
    this.frames[1].style.stroke = this.model.look(entry.box.label).line;
    const { left, top, right, bottom, width, height } = this.stage.shown(rect);
    const wide = (right - left) * width >= ROOM_FOR_EDGES;
    const high = (bottom - top) * height >= ROOM_FOR_EDGES;
    for (const handle of this.handles) {
      const { edge } = handle.dataset;
      const way = shownHandle(edge ?? "", this.stage.view.rotation);
      const room = way.length === 2 || (way === "n" || way === "s" ? wide : high);
      handle.hidden = readOnly || !room;
      if (handle.hidden) continue;
      const [x, y] = handlePoint(rect, edge ?? "");
      const at = this.stage.shown([x, y, x, y]);
      Object.assign(handle.style, { left: `${100 * at.left}%`, top: `${100 * at.top}%` });
      handle.style.setProperty("--out-x", `${outward(way, "w", "e", (right - left) * width)}px`);
      handle.style.setProperty("--out-y", `${outward(way, "n", "s", (bottom - top) * height)}px`);
      setAttr(handle, "data-way", way);
    }
  }

  /** Show a box somewhere else than it is, while it is dragged; null ends that. */
  setDraft(draft: Draft | null) {
    const before = this.draft;
    this.draft = draft;
    for (const id of new Set([before?.id, draft?.id])) {
      const entry = id === undefined ? undefined : this.entries.get(id);
      if (entry) this.place(entry);
    }
    this.placeSelection();
  }

  /** Show boxes that are kept and do not count yet. */
  setPending(boxes: readonly LayerBox[]) {
    this.pending.replaceChildren(
      ...boxes.map(({ rect, label }) => {
        const line = svg("rect", { class: "box-pending", "data-testid": "pending-box" });
        line.dataset.label = label ?? "";
        line.style.stroke = this.model.look(label).line;
        setRect(line, rect);
        return line;
      }),
    );
  }

  /** Show the rubber band of a box being drawn; null hides it. */
  setBand(rect: Pt.Rect | null, label: string | null = null) {
    setAttr(this.band, "visibility", rect ? null : "hidden");
    if (!rect) return;
    const { line } = this.model.look(label);
    this.band.style.stroke = line;
    this.band.style.fill = line;
    setRect(this.band, rect);
  }

  /** Show the lines that edges have snapped to. */
  setGuides(guides: Array<{ axis: "x" | "y"; at: number }>) {
    const [width, height] = this.stage.size ?? [0, 0];
    const path = guides
      .map(({ axis, at }) => (axis === "x" ? `M${at} 0V${height}` : `M0 ${at}H${width}`))
      .join("");
    setAttr(this.guides, "d", path);
  }

  /** What a screen reader hears of a box. */
  words(box: Box, boxes: Box[]) {
    const word = this.model.seed && VERDICT_WORDS[this.verdictOf(box)];
    const at = boxes.findIndex((other) => other.id === box.id) + 1;
    return [
      t("Box {position} of {number}", { position: at, number: boxes.length }),
      this.model.titleOf(box.label) ?? t("no label"),
      word && t(word),
    ]
      .filter(Boolean)
      .join(", ");
  }
}

/**
 * Handles of a small box reach outwards, so that most of its inside is left for moving it.
 * @param length of the box along this axis
 */
function outward(way: string, low: string, high: string, length: number) {
  const shift = HANDLE / 2 - Math.min(HANDLE / 2, length / 5);
  return way.includes(low) ? -shift : way.includes(high) ? shift : 0;
}

function setRect(node: Element, [x0, y0, x1, y1]: number[]) {
  node.setAttribute("x", String(x0));
  node.setAttribute("y", String(y0));
  node.setAttribute("width", String(x1 - x0));
  node.setAttribute("height", String(y1 - y0));
}
