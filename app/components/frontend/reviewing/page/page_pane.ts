/** One page with the boxes of all annotators, turned over the pages that the task is about. */

import { iconButton, keepFocus } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { samePlace } from "../../shared/places";
import { submitted } from "../comparison/comparison_rows";
import { GOLD, goldSwatch, lineSwatch } from "../person_styles";
import { PeopleBoxes } from "./annotator_boxes";
import { boxList, zoneTable } from "./page_box_list";

const CLICK_PX = 4;
const WHY: Record<string, string> = {
  cited: "cited",
  boxes: "has boxes",
  graded: "graded",
  dataset: "evidence of the dataset",
  given: "given",
};

export class PagePane {
  actions: Pt.PageActions;
  /** keys of the layers that are hidden */
  hidden: Set<string>;
  allHidden: boolean;
  /** id of the box that stands out */
  shown: string | null;
  stage: Stage;
  layers: PeopleBoxes;
  previous: HTMLButtonElement;
  next: HTMLButtonElement;
  title: HTMLSpanElement;
  count: HTMLSpanElement;
  legend: HTMLDivElement;
  notes: HTMLDivElement;
  empty: HTMLParagraphElement;
  element: HTMLElement;
  images: PageImages | null;
  listOpen: boolean;
  task: number | undefined;
  place: Pt.Place | null | undefined;
  wanted: { sha: string; page: number } | null | undefined;

  dpi!: number;
  view!: Pt.ReviewView;
  constructor(actions: Pt.PageActions) {
    this.actions = actions;
    this.hidden = new Set();
    this.allHidden = false;
    this.shown = null;
    this.stage = new Stage({ onView: () => this.loadImage() });
    this.stage.setView({ fit: "width" });
    this.layers = new PeopleBoxes(this.stage);
    this.stage.onLayout = () => this.layers.layout();
    this.stage.onPress = (event) => this.press(event);
    this.previous = iconButton("previous", "Previous page (←)", () => this.step(-1));
    this.next = iconButton("next", "Next page (→)", () => this.step(1));
    this.title = h("span", { class: "ellipsis heading strong", testid: "page-title" });
    this.count = h("span", { class: "caption ellipsis" });
    const props = {
      class: "legend wrapping",
      role: "group",
      "aria-label": "Whose boxes are shown",
    };
    this.legend = h("div", props);
    this.notes = h("div", { class: "page-notes medium" });
    const bar = h(
      "div",
      { class: "page-bar line" },
      this.previous,
      h("div", { class: "page-name fill" }, this.title, this.count),
      this.next,
      iconButton("minus", "Zoom out (−)", () => this.stage.zoomStep(-1)),
      iconButton("plus", "Zoom in (+)", () => this.stage.zoomStep(1)),
      iconButton("fitPage", "Whole page, or page width (0)", () => this.toggleFit()),
      iconButton("panelLeft", "Wider page (w)", () => this.actions.wide()),
    );
    const text = "The task gives no page, and nobody cited, graded or drew on one.";
    this.empty = h("p", { class: "page-empty quiet", text });
    this.element = h(
      "aside",
      { class: "page-pane column", "aria-label": "Page" },
      bar,
      this.legend,
      this.stage.element,
      this.empty,
      this.notes,
    );
    this.images = null;
    this.listOpen = false;
  }

  update(view: Pt.ReviewView) {
    const fresh = view.data.task.id !== this.task;
    if (fresh || !this.images) {
      this.task = view.data.task.id;
      this.images = new PageImages(view.imageUrl);
      this.place = null;
      this.hidden.clear();
      this.shown = null;
    }
    this.view = view;
    const none = view.page === null;
    this.empty.hidden = !none;
    this.stage.element.hidden = none;
    if (!samePlace(this.place, view.page)) this.turn(view.page);
    const at = view.pages.findIndex((page) => samePlace(page, view.page));
    this.previous.disabled = at <= 0;
    this.next.disabled = at < 0 || at >= view.pages.length - 1;
    const why = view.pages[at]?.why.map((word) => WHY[word]).join(", ") ?? "";
    setText(this.title, view.page ? `${view.page.document}, page ${view.page.page}` : "No page");
    this.title.title = this.title.textContent;
    setText(
      this.count,
      view.page ? `${at + 1} of ${view.pages.length}${why ? ` · ${why}` : ""}` : "",
    );
    this.draw();
  }

  step(by: number) {
    const { pages, page } = this.view;
    const next = pages[pages.findIndex((other) => samePlace(other, page)) + by];
    if (next) this.actions.page(next);
  }

  turn(place: Pt.Place | null) {
    this.place = place;
    const info = place && this.view.data.documents[place.document];
    const size = place && info?.pages[place.page - 1];
    setAttr(this.element, "data-painted", null);
    this.stage.setNotice(place && !size ? "This page is not in the collection." : null);
    if (!size || !info) {
      this.stage.clear();
      this.wanted = null;
      return;
    }
    this.stage.setPage(size);
    this.wanted = { sha: info.sha256, page: place?.page ?? 1 };
    this.dpi = 0;
    this.loadImage();
    for (const near of [-1, 1]) this.ahead(near);
  }

  resolution() {
    const needed = this.stage.scale * 72 * (window.devicePixelRatio || 1);
    return [40, 75, 150].find((dpi) => dpi >= 0.92 * needed) ?? 220;
  }

  loadImage() {
    const { wanted } = this;
    if (!wanted || !this.images) return;
    const dpi = this.resolution();
    if (dpi <= this.dpi) return;
    this.dpi = dpi;
    this.images.load(wanted.sha, wanted.page, dpi).then(
      (image) => {
        if (this.wanted !== wanted || this.dpi !== dpi) return;
        this.stage.setImage(image);
        setAttr(this.element, "data-painted", String(wanted.page));
      },
      () => {
        if (this.wanted === wanted)
          this.stage.setNotice("The image of the page is not available now. Open the page again.");
      },
    );
  }

  ahead(by: number) {
    const { pages, page, data } = this.view;
    const near = pages[pages.findIndex((other) => samePlace(other, page)) + by];
    const info = near && data.documents[near.document];
    if (info) this.images?.load(info.sha256, near.page, this.resolution(), "low").catch(() => {});
  }

  /** Boxes, legend, and what is said of them. */
  draw() {
    const { data, look, page, draft, editable } = this.view;
    const participants = submitted(data);
    const on = (boxes: Pt.ReviewedBox[]) => boxes.filter((box) => samePlace(box, page));
    const chosen = (attempt: string) =>
      new Set(this.view.chosenBoxes.filter(([of]) => of === attempt).map(([, id]) => id));
    const layers: Pt.BoxLayerOf[] = participants.map((participant, i) => ({
      key: participant.attempt,
      number: String(i + 1),
      name: participant.name,
      boxes: on(participant.boxes),
      look: look(participant.attempt),
      chosen: chosen(participant.attempt),
    }));
    const gold: Pt.BoxLayerOf = {
      key: GOLD,
      number: "",
      name: this.view.gold,
      boxes: on(draft.boxes),
      look: null,
      chosen: new Set(),
    };
    const all = [gold, ...layers];
    const drawn = this.allHidden ? [] : all.filter(({ key }) => !this.hidden.has(key));
    this.layers.update(drawn, this.shown);
    const any = data.protocol.boxes.enabled && participants.some(({ boxes }) => boxes.length);
    this.legend.hidden = !any;
    const may = editable && (data.ways.boxes ?? []).includes("pick");
    keepFocus(this.element, () => {
      fill(this.legend, ...[...layers, gold].map((layer) => this.toggle(layer)));
      fill(
        this.notes,
        zoneTable(data, page),
        boxList(layers, {
          may,
          open: this.listOpen,
          onToggle: (open) => {
            this.listOpen = open;
          },
          take: (attempt, box) => this.actions.box(attempt, box),
          show: (box) => this.reveal(box),
        }),
      );
    });
  }

  toggle({ key, name, boxes, look, number }: Pt.BoxLayerOf) {
    const off = this.hidden.has(key) || this.allHidden;
    return h(
      "button",
      {
        class: "legend-entry toggle",
        "aria-pressed": String(!off),
        "data-focus": `legend-${key}`,
        testid: "legend",
        title: off ? `Show ${name}’s boxes` : `Hide ${name}’s boxes`,
        on: {
          click: () => {
            this.allHidden = false;
            if (off) this.hidden.delete(key);
            else this.hidden.add(key);
            this.draw();
          },
        },
      },
      look ? lineSwatch(look) : goldSwatch(),
      h("span", { text: number ? `${number} ${name}` : name }),
      h("span", { class: "number quiet", text: String(boxes.length) }),
    );
  }

  hideBoxes() {
    this.allHidden = !this.allHidden;
    this.draw();
  }

  toggleFit() {
    this.stage.setView({ fit: this.stage.view.fit === "width" ? "page" : "width" });
  }

  /** Bring a box into view and let it stand out. */
  reveal(box: Pt.ReviewedBox) {
    this.shown = box.id;
    this.draw();
    this.stage.reveal(box.rect);
  }

  /** A click on a box takes it or leaves it; dragging pans, also over boxes. */
  press(event: PointerEvent) {
    const { data, editable } = this.view;
    if (event.button !== 0 || !this.stage.size) return false;
    const hit = this.layers.at(this.stage.toPagePoint(event.clientX, event.clientY));
    if (!hit || !editable || !(data.ways.boxes ?? []).includes("pick")) return false;
    const { pane } = this.stage;
    const done = (up: PointerEvent) => {
      pane.removeEventListener("pointerup", done);
      pane.removeEventListener("pointercancel", done);
      const still = Math.hypot(up.clientX - event.clientX, up.clientY - event.clientY) < CLICK_PX;
      if (up.type === "pointerup" && still) this.actions.box(hit.attempt, hit.box);
    };
    pane.addEventListener("pointerup", done);
    pane.addEventListener("pointercancel", done);
    return false;
  }

  destroy() {
    this.stage.destroy();
  }
}
