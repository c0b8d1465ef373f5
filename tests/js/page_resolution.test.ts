/** Which image of a page is fetched, and how many of its pixels are kept. */

import assert from "node:assert/strict";
import test from "node:test";
import { resolutionFor, shownSize } from "../../app/components/frontend/shared/page/page_geometry";

const A4: Pt.Size = [595, 842];

test("an image has a pixel for each device pixel", () => {
  for (const zoom of [50, 83.4, 100, 137, 180])
    for (const pixelRatio of [1, 1.25, 2]) {
      const { dpi, pixels } = resolutionFor(A4, zoom, pixelRatio);
      const [width, height] = shownSize(A4, zoom, pixelRatio);
      if (pixels) {
        assert.deepEqual(pixels, [Math.round(width * pixelRatio), Math.round(height * pixelRatio)]);
        const part = pixels[0] / ((A4[0] * dpi) / 72);
        assert.ok(part >= 0.5 && part < 1, `${zoom} at ${pixelRatio}: ${part} of the image`);
      } else assert.ok(width * pixelRatio >= (A4[0] * dpi) / 72 - 1);
    }
});

test("a page that is enlarged beyond the server's image keeps all of it", () => {
  assert.deepEqual(resolutionFor(A4, 400, 1), { dpi: 220, pixels: null });
});

test("a page is shown in whole device pixels", () => {
  for (const pixelRatio of [1, 1.25, 2])
    for (const side of shownSize(A4, 71.3, pixelRatio))
      assert.ok(Math.abs(side * pixelRatio - Math.round(side * pixelRatio)) < 1e-6);
});
