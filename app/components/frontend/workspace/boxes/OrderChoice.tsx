import { keyName } from "../../shared/keys";
import { labelTitle } from "../../shared/label_styles";
import { t } from "../../shared/messages";
import { finalOrder, inReadingOrder } from "../../shared/reading_order";

const NONE = "none";
const FIRST = "first";
const WORDS = 40;

export interface OrderChoiceProps {
  box: Pt.PageBox;
  /** of its page, deleted ones included */
  boxes: Pt.PageBox[];
  /** the protocol's labels */
  labels: Pt.BoxLabel[];
  readOnly: boolean;
  /** Put it right after another box; null puts it first. */
  onPlace: (after: string | null) => void;
  onRemove: () => void;
}

/** Where the selected box is in the reading order: after which other one. */
export function OrderChoice({ box, boxes, labels, readOnly, onPlace, onRemove }: OrderChoiceProps) {
  const places = finalOrder(boxes);
  const others = inReadingOrder(boxes).filter(({ id }) => id !== box.id && places.has(id));
  const place = places.get(box.id);
  const before = others.findLast(({ id }) => (places.get(id) ?? 0) < (place ?? 0));
  const isMoved = box.model !== null && box.model.order !== box.order;
  const choose = (value: string) => {
    if (value === NONE) onRemove();
    else onPlace(value === FIRST ? null : value);
  };
  return (
    <div class="line medium reading-order" data-moved={isMoved ? "" : undefined}>
      <label for="pt-element-order">{t("Reading order")}</label>
      <select
        id="pt-element-order"
        class="ellipsis"
        data-testid="element-order"
        title={t("Or drag it in the list, or press {up} and {down}", {
          up: keyName("earlier"),
          down: keyName("later"),
        })}
        disabled={readOnly}
        value={place === undefined ? NONE : (before?.id ?? FIRST)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value={NONE}>{t("Not in the reading order")}</option>
        <option value={FIRST}>{t("First on the page")}</option>
        {others.map((other) => (
          <option key={other.id} value={other.id}>
            {optionText(other, labels, places)}
          </option>
        ))}
      </select>
      <span class="model-line caption wrap">
        {isMoved ? t("Model: {value}", { value: box.model?.order ?? t("none") }) : null}
      </span>
    </div>
  );
}

function optionText(box: Pt.PageBox, labels: Pt.BoxLabel[], places: Map<string, number>) {
  const text = (box.content ?? "").slice(0, WORDS).replace(/\s+/g, " ").trim();
  return [t("After {place}", { place: places.get(box.id) }), labelTitle(labels, box.label), text]
    .filter(Boolean)
    .join(" · ");
}
