/** A rectangle typed as four numbers. */

import { t } from "../../shared/messages";
import { ROUNDING_TOLERANCE, rounded } from "../../shared/page/rectangles";
import { sentence } from "../../shared/sentences";

export const leftTopAndSize = ([x0, y0, x1, y1]: Pt.Rect) => rounded([x0, y0, x1 - x0, y1 - y0]);

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
): { rect: Pt.Rect } | { error: string } {
  if (texts.some((text) => !text.trim()))
    return { error: t("One of the four numbers is missing.") };
  const numbers = texts.map((text) => Number(text.replace(",", ".")));
  const bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0)
    return { error: sentence("not_a_number", { value: t("“{label}”", { label: texts[bad] }) }) };
  const [x, y, across, down] = numbers;
  if (Math.min(across, down) < least) return { error: sentence("too_small", { least }) };
  const [right, bottom] = [width + ROUNDING_TOLERANCE, height + ROUNDING_TOLERANCE];
  if (x < 0 || y < 0 || x + across > right || y + down > bottom) {
    return {
      error: t("The box must be on the page, which is {width} × {height} points.", {
        width,
        height,
      }),
    };
  }
  const rect = rounded([x, y, Math.min(width, x + across), Math.min(height, y + down)]);
  return { rect: rect as Pt.Rect };
}
