import assert from "node:assert/strict";
import { test } from "node:test";
import { previewArea } from "../../app/components/frontend/workspace/search/preview_state";

test("a preview is under its card, or beside it where there is too little space, in the window", () => {
  const a4 = 1 / Math.SQRT2;
  for (const [card, size, under] of [
    [{ left: 300, right: 460, top: 200, bottom: 280 }, { width: 1366, height: 768 }, true],
    [{ left: 1000, right: 1160, top: 200, bottom: 280 }, { width: 1366, height: 768 }, true],
    [{ left: 260, right: 420, top: 200, bottom: 300 }, { width: 960, height: 540 }, false],
    [{ left: 780, right: 940, top: 200, bottom: 300 }, { width: 960, height: 540 }, false],
  ]) {
    for (const ratio of [a4, 1 / a4]) {
      const { left, top, width, height } = previewArea(card, ratio, size);
      assert.ok(Math.abs(width / height - ratio) < 1e-9);
      assert.ok(left >= 8 && top >= 8, "inside");
      assert.ok(left + width <= size.width - 8 + 1e-9 && top + height <= size.height - 8 + 1e-9);
      if (under) assert.ok(top >= card.bottom, "the card stays in sight");
      else if (ratio < 1) assert.ok(left >= card.right || left + width <= card.left);
    }
  }
});
