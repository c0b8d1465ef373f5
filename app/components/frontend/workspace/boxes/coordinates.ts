/** The place of the selected box as four numbers that can be typed: the way without a mouse. */

import { errorLine } from "../../shared/buttons";
import { h, setAttr, setText } from "../../shared/dom";
import { rounded } from "../../shared/page/rectangles";
import { sentence } from "../../shared/sentences";

const SIDES = [
  ["x", "Left edge, points"],
  ["y", "Top edge, points"],
  ["width", "Width, points"],
  ["height", "Height, points"],
];

const leftTopAndSize = ([x0, y0, x1, y1]: any[]) => rounded([x0, y0, x1 - x0, y1 - y0]);

/**
 * The rectangle of four typed numbers, or why there is none.
 * @param texts left, top, width, height
 * @param size of the page
 * @param least smallest width and height
 */
export function typedRect(
  texts: string[],
  [width, height]: Pt.Size,
  least: number,
): { rect: number[] } | { error: string } {
  if (texts.some((text) => !text.trim())) return { error: "One of the four numbers is missing." };
  const numbers = texts.map((text) => Number(text.replace(",", ".")));
  const bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) return { error: sentence("not_a_number", { value: `“${texts[bad]}”` }) };
  const [x, y, across, down] = numbers;
  if (Math.min(across, down) < least) return { error: sentence("too_small", { least }) };
  if (x < 0 || y < 0 || x + across > width + 0.05 || y + down > height + 0.05) {
    return { error: `The box must be on the page, which is ${width} × ${height} points.` };
  }
  return { rect: rounded([x, y, Math.min(width, x + across), Math.min(height, y + down)]) };
}

export class Coordinates {
  commit: (rect: number[]) => void;
  inputs: HTMLInputElement[];
  error: HTMLParagraphElement;
  model: HTMLParagraphElement;
  element: HTMLDivElement;
  id: string | undefined;

  least: any;

  size: any;

  stored: any;

  constructor(commit: (rect: number[]) => void) {
    this.commit = commit;
    this.inputs = SIDES.map(([name, title]) =>
      h("input", {
        type: "text",
        inputmode: "decimal",
        class: "number-input",
        testid: `element-${name}`,
        title,
        "aria-label": title,
        autocomplete: "off",
        on: {
          // Mistakes are named while typing: a line that appears on leaving would move what is clicked.
          input: () => this.say(this.typed().error ?? ""),
          change: () => this.flush(),
          keydown: (event) => event.key === "Enter" && this.flush(),
        },
      }),
    );
    this.error = errorLine(null);
    this.model = h("p", { class: "model-line caption wrap" });
    this.element = h(
      "div",
      { class: "coordinates", role: "group", "aria-label": "Position in points" },
      h(
        "div",
        { class: "coordinate-row" },
        ...this.inputs.map((input, i) => h("label", {}, h("span", { text: SIDES[i][0] }), input)),
      ),
      this.error,
      this.model,
    );
  }

  /** Show a box; what is being typed stays. */
  show(
    box: Pt.PageBox,
    { size, least, readOnly }: { size: Pt.Size; least: any; readOnly: boolean },
  ) {
    const other = this.id !== box.id;
    this.id = box.id;
    this.size = size;
    this.least = Math.min(least, box.rect[2] - box.rect[0], box.rect[3] - box.rect[1]);
    const stored = leftTopAndSize(box.rect).map(String);
    this.inputs.forEach((input, i) => {
      setAttr(input, "readonly", readOnly);
      if (other || this.stored?.[i] !== stored[i]) input.value = stored[i];
    });
    if (other) this.say("");
    this.stored = stored;
    const given = (box.model && leftTopAndSize(box.model.rect)) as any;
    const moved = given?.some((value: any, i: number) => String(value) !== stored[i]);
    // The line keeps its place, so that correcting a box moves nothing.
    setText(
      this.model,
      moved ? `Model: ${given.slice(0, 2).join(", ")}; ${given[2]} × ${given[3]} pt` : "\u00a0",
    );
    this.model.hidden = !given;
  }

  /** What the inputs say: a rectangle, an error, or nothing new. */
  typed(): any {
    const texts = this.inputs.map((input) => input.value);
    if (!this.stored || texts.every((text, i) => text === this.stored[i])) return {};
    return typedRect(texts, this.size, this.least);
  }

  say(sentence: string) {
    setText(this.error, sentence);
    for (const input of this.inputs) setAttr(input, "aria-invalid", sentence ? "true" : null);
  }

  /** Hand over what was typed; a mistake is named and goes no further. */
  flush() {
    const { rect, error } = this.typed();
    this.say(error ?? "");
    if (rect) this.commit(rect);
  }
}
