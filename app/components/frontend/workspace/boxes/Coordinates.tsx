import { useSignal } from "@preact/signals";
import { FieldError } from "../../shared/components/FieldError";
import { TextInput } from "../../shared/components/TextInput";
import { N_, t } from "../../shared/messages";
import type { Texts } from "../fields/text_drafts";
import { useFlushed } from "./flushed";
import { leftTopAndSize, typedRect } from "./typed_rect";
import "./Coordinates.css";

const SIDES = [
  { name: "x", title: N_("Left edge, points") },
  { name: "y", title: N_("Top edge, points") },
  { name: "width", title: N_("Width, points") },
  { name: "height", title: N_("Height, points") },
];

export interface CoordinatesProps {
  box: Pt.PageBox;
  attempt: string;
  /** of its page */
  size: Pt.Size;
  /** smallest width and height of a new box */
  least: number;
  readOnly: boolean;
  texts: Texts;
  onCommit: (rect: Pt.Rect) => void;
}

/** What was typed over a number, until that number changes. */
type Typed = { over: string; text: string } | undefined;

/** The place of the selected box as four numbers that can be typed: the way without a mouse. */
export function Coordinates(props: CoordinatesProps) {
  const { box, attempt, size, readOnly, texts, onCommit } = props;
  const typed = useSignal<Typed[]>([]);
  const [x0, y0, x1, y1] = box.rect;
  const least = Math.min(props.least, x1 - x0, y1 - y0);
  const stored = leftTopAndSize(box.rect).map(String);
  // Read without rendering first: a change event may come in the turn of the last key.
  const current = () =>
    stored.map((number, i) => {
      const entry = typed.peek()[i];
      return entry?.over === number ? entry.text : number;
    });
  const outcome = () => {
    const numbers = current();
    if (numbers.every((text, i) => text === stored[i])) return null;
    return typedRect(numbers, size, least);
  };
  const flush = () => {
    const now = outcome();
    if (!now || "error" in now) return;
    typed.value = [];
    onCommit(now.rect);
  };
  useFlushed(texts, attempt, flush);

  const numbers = typed.value && current();
  const shown = outcome();
  // Mistakes are named while typing: a line that appears on leaving would move what is clicked.
  const error = shown && "error" in shown ? shown.error : "";
  return (
    <div class="coordinates" role="group" aria-label={t("Position in points")}>
      <div class="coordinate-row">
        {SIDES.map(({ name, title }, i) => (
          <label key={name}>
            <span>{name}</span>
            <TextInput
              inputMode="decimal"
              class="number-input"
              testid={`element-${name}`}
              title={t(title)}
              aria-label={t(title)}
              aria-invalid={error ? "true" : undefined}
              autoComplete="off"
              readOnly={readOnly}
              value={numbers[i]}
              onInput={(event) => {
                const entry = { over: stored[i], text: event.currentTarget.value };
                typed.value = SIDES.map((_, j) => (j === i ? entry : typed.value[j]));
              }}
              onChange={flush}
              onKeyDown={(event) => event.key === "Enter" && flush()}
            />
          </label>
        ))}
      </div>
      <FieldError>{error}</FieldError>
      {box.model ? <ModelPlace rect={box.model.rect} stored={stored} /> : null}
    </div>
  );
}

/** The model's place where it differs; the line is always there, so that correcting moves nothing. */
function ModelPlace({ rect, stored }: { rect: Pt.Rect; stored: string[] }) {
  const [x, y, width, height] = leftTopAndSize(rect);
  const isMoved = [x, y, width, height].some((value, i) => String(value) !== stored[i]);
  return (
    <p class="model-line caption wrap">
      {isMoved ? t("Model: {x}, {y}; {width} × {height} pt", { x, y, width, height }) : "\u00a0"}
    </p>
  );
}
