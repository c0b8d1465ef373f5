/** Everybody's boxes over one page, and the gold draft's: a colour and a line each. */

import { h, svg } from "../../shared/dom";
import type { Stage } from "../../shared/page/page_stage";

const BADGE = 18;

export class PeopleBoxes {
  stage: Stage;
  group: SVGGElement;
  marks: HTMLDivElement;
  layers: Pt.BoxLayerOf[];
  badges: any[];

  constructor(stage: Stage) {
    this.stage = stage;
    this.group = svg("g", {});
    this.marks = h("div", { class: "badges" });
    stage.boxes.append(this.group);
    stage.marks.append(this.marks);
    this.layers = [];
    this.badges = [];
  }

  /**
   * @param layers   from below to above; without a look it is the gold draft
   * @param shown id of a box to stand out
   */
  update(layers: Pt.BoxLayerOf[], shown: string | null = null) {
    this.layers = layers;
    this.group.replaceChildren(
      ...layers.flatMap((layer) => layer.boxes.map((box) => drawn(layer, box, shown))),
    );
    this.badges = layers.flatMap((layer, at) =>
      layer.look ? layer.boxes.map((box) => ({ box, at, node: badge(layer, box) })) : [],
    );
    this.marks.replaceChildren(...this.badges.map(({ node }) => node));
    this.layout();
  }

  layout() {
    if (!this.stage.size) return;
    for (const { box, at, node } of this.badges) {
      const { left, top } = this.stage.shown(box.rect);
      node.style.left = `calc(${100 * left}% + ${at * BADGE}px)`;
      node.style.top = `${100 * top}%`;
    }
  }

  /**
   * The smallest box at a point of the page, of somebody's shown layer; null where there is none.
   */
  at({ x, y }: Pt.Point) {
    const area = ({ rect: [x0, y0, x1, y1] }: Pt.ReviewedBox) => (x1 - x0) * (y1 - y0);
    const found = this.layers
      .filter(({ look }) => look)
      .flatMap(({ key, boxes }) => boxes.map((box) => ({ attempt: key, box })))
      .filter(({ box: { rect } }) => x >= rect[0] && x <= rect[2] && y >= rect[1] && y <= rect[3]);
    return found.sort((a, b) => area(a.box) - area(b.box))[0] ?? null;
  }
}

function rectangle([x0, y0, x1, y1]: Pt.Rect, className: string) {
  return svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: className });
}

function drawn({ key, look, chosen }: Pt.BoxLayerOf, box: Pt.ReviewedBox, shown: string | null) {
  const node = svg("g", {
    class: "person-box",
    "data-testid": look ? "person-box" : "gold-box",
    "data-id": box.id,
    "data-attempt": key,
  });
  if (!look) {
    node.append(rectangle(box.rect, "gold-rim"), rectangle(box.rect, "gold-line"));
    return node;
  }
  const line = rectangle(box.rect, "person-line");
  line.style.stroke = look.line;
  line.style.strokeDasharray = look.dash;
  line.style.fill = chosen.has(box.id) ? look.line : "none";
  node.append(rectangle(box.rect, "box-halo"), line);
  node.classList.toggle("stands-out", box.id === shown);
  return node;
}

function badge({ number, look, chosen }: Pt.BoxLayerOf, box: Pt.ReviewedBox) {
  const node = h("span", { class: "box-badge", text: number, title: box.label ?? "" });
  Object.assign(node.style, { background: look?.line, color: look?.ink });
  node.classList.toggle("chosen", chosen.has(box.id));
  return node;
}
