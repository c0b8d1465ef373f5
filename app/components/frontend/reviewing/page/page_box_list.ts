/** What is said of the boxes of a page: how far people agree, and each box to take or leave. */

import { h, plural } from "../../shared/dom";
import { samePlace } from "../../shared/places";
import { submitted } from "../comparison/comparison_rows";
import { share } from "../formatting";
import { lineSwatch } from "../person_styles";

/**
 * IoU and Dice of each two people on a page, and their means.
 * @returns null where nobody drew
 */
export function zoneTable(
  data: Pt.ReviewData,
  place: { document: string; page: number } | null,
): Element | null {
  const zone = place && data.zones.find((other) => samePlace(other, place));
  if (!zone?.pairs.length) return null;
  const names = new Map(submitted(data).map(({ attempt, name }) => [attempt, name]));
  const row = (label: string, { iou, dice }: Pt.ZoneOverlap | Pt.ZoneOverlap["pairs"][number]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", text: label }),
      h("td", { class: "number", text: share(iou) }),
      h("td", { class: "number", text: share(dice) }),
    );
  return h(
    "table",
    { class: "zones medium", testid: "zones" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", text: "Overlap on this page" }),
        h("th", { scope: "col", class: "number", text: "IoU" }),
        h("th", { scope: "col", class: "number", text: "Dice" }),
      ),
    ),
    h(
      "tbody",
      {},
      ...zone.pairs.map((pair) =>
        row(`${names.get(pair.a) ?? "?"} and ${names.get(pair.b) ?? "?"}`, pair),
      ),
      zone.pairs.length > 1 ? row("Mean", zone) : null,
    ),
  );
}

/**
 * The boxes as a list, for the keyboard and for small boxes.
 * @param layers of the people, as drawn
 */
export function boxList(
  layers: Pt.BoxLayerOf[],
  {
    may,
    open,
    onToggle,
    take,
    show,
  }: {
    may: boolean;
    open: boolean;
    onToggle: (open: boolean) => void;
    take: (attempt: string, box: Pt.ReviewedBox) => void;
    show: (box: Pt.ReviewedBox) => void;
  },
): Element | null {
  const entries = layers.flatMap((layer) => layer.boxes.map((box) => ({ layer, box })));
  if (!entries.length) return null;
  const details = h(
    "details",
    { class: "box-list", open: Boolean(open), on: { toggle: () => onToggle(details.open) } },
    h("summary", {
      text: `${plural(entries.length, "box", "boxes")} on this page`,
      "data-focus": "box-list",
    }),
    h(
      "ul",
      {},
      ...entries.map(({ layer, box }) =>
        h(
          "li",
          {},
          h(
            "label",
            { class: "keep inline" },
            h("input", {
              type: "checkbox",
              checked: layer.chosen.has(box.id),
              disabled: !may,
              testid: "keep-box",
              "aria-label": `Take ${layer.name}’s ${box.label ?? "box"} into the gold`,
              "data-focus": `list-${layer.key}-${box.id}`,
              on: { change: () => take(layer.key, box) },
            }),
            layer.look && lineSwatch(layer.look),
            h("span", { text: `${layer.name}: ${box.label ?? "no label"}` }),
          ),
          h("button", { class: "link", text: "show", on: { click: () => show(box) } }),
        ),
      ),
    ),
  );
  return details;
}
