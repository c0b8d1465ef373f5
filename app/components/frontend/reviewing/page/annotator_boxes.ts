/** Everybody's boxes over one page, and the gold draft's: a colour and a line each. */

import { h, svg } from "../../shared/dom";
import type { Stage } from "../../shared/page/page_stage";
import type { PageLayer } from "./page_layers";
import "./annotator_boxes.css";

const BADGE = 18;

/** The number of a person at the corner of their box. */
interface Badge {
  rect: Pt.Rect;
  /** how many layers are below, whose badges may be at the same corner */
  below: number;
  node: HTMLElement;
}

export class AnnotatorBoxes {
  private readonly group = svg("g", {});
  private readonly corners = h("div", { class: "badges" });
  private layers: PageLayer[] = [];
  private badges: Badge[] = [];

  constructor(private readonly stage: Stage) {
    stage.boxes.append(this.group);
    stage.marks.append(this.corners);
  }

  /**
   * @param layers from below to above
   * @param standsOut id of a box
   */
  update(layers: PageLayer[], standsOut: string | null) {
    this.layers = layers;
    this.group.replaceChildren(
      ...layers.flatMap((layer) => layer.boxes.map((box) => drawn(layer, box, standsOut))),
    );
    this.badges = layers.flatMap((layer, below) =>
      layer.look
        ? layer.boxes.map((box) => ({ rect: box.rect, below, node: badge(layer, box) }))
        : [],
    );
    this.corners.replaceChildren(...this.badges.map(({ node }) => node));
    this.layout();
  }

  layout() {
    if (!this.stage.size) return;
    for (const { rect, below, node } of this.badges) {
      const { left, top } = this.stage.shown(rect);
      node.style.left = `calc(${100 * left}% + ${below * BADGE}px)`;
      node.style.top = `${100 * top}%`;
    }
  }

  /** The smallest box of a person at a point of the page; null where there is none. */
  at({ x, y }: Pt.Point) {
    const area = ({ rect: [x0, y0, x1, y1] }: Pt.ReviewedBox) => (x1 - x0) * (y1 - y0);
    const hits = this.layers
      .filter(({ look }) => look)
      .flatMap(({ key, boxes }) => boxes.map((box) => ({ attempt: key, box })))
      .filter(({ box: { rect } }) => x >= rect[0] && x <= rect[2] && y >= rect[1] && y <= rect[3]);
    return hits.sort((a, b) => area(a.box) - area(b.box))[0] ?? null;
  }
}

function rectangle([x0, y0, x1, y1]: Pt.Rect, className: string) {
  return svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: className });
}

function drawn({ key, look, chosen }: PageLayer, box: Pt.ReviewedBox, standsOut: string | null) {
  const node = svg("g", {
    class: look && box.id === standsOut ? "person-box highlighted" : "person-box",
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
  return node;
}

function badge({ number, look, chosen }: PageLayer, box: Pt.ReviewedBox) {
  const node = h("span", {
    class: chosen.has(box.id) ? "box-badge chosen" : "box-badge",
    text: number,
    title: box.title ?? "",
  });
  Object.assign(node.style, { background: look?.line, color: look?.ink });
  return node;
}
