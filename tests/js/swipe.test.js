import assert from "node:assert/strict";
import { test } from "node:test";
import { Swipe } from "../../app/components/frontend/workspace/viewer/swipe";

const FITS = { scrollLeft: 0, scrollWidth: 500, clientWidth: 500 };
const WIDE = { scrollLeft: 0, scrollWidth: 900, clientWidth: 500 };

/** Where a finger that goes from one point to another turns to. */
function swiped([x0, y0], [x1, y1], { pane = FITS, mayBegin = true, fingers = 1 } = {}) {
  const swipe = new Swipe();
  const touches = Array.from({ length: fingers }, () => ({ clientX: x0, clientY: y0 }));
  swipe.press({ touches }, pane, mayBegin);
  return swipe.lift({ changedTouches: [{ clientX: x1, clientY: y1 }] });
}

test("a movement sideways turns, one up or down does not", () => {
  assert.equal(swiped([400, 300], [200, 320]), 1);
  assert.equal(swiped([200, 300], [400, 280]), -1);
  assert.equal(swiped([400, 300], [350, 300]), 0, "too short");
  assert.equal(swiped([400, 300], [300, 400]), 0, "as far down as sideways");
  assert.equal(swiped([400, 300], [400, 100]), 0);
});

test("a page that is wider than its pane is moved first, and turns from its edge", () => {
  const at = (scrollLeft) => ({ pane: { ...WIDE, scrollLeft } });
  assert.equal(swiped([400, 300], [200, 300], at(0)), 0);
  assert.equal(swiped([200, 300], [400, 300], at(0)), -1);
  assert.equal(swiped([400, 300], [200, 300], at(200)), 0);
  assert.equal(swiped([400, 300], [200, 300], at(399.6)), 1);
});

test("two fingers, a tool, and a touch that was taken away turn nothing", () => {
  assert.equal(swiped([400, 300], [200, 300], { fingers: 2 }), 0);
  assert.equal(swiped([400, 300], [200, 300], { mayBegin: false }), 0);
  const swipe = new Swipe();
  const finger = { clientX: 400, clientY: 300 };
  swipe.press({ touches: [finger] }, FITS, true);
  swipe.press({ touches: [finger, finger] }, FITS, true);
  assert.equal(swipe.lift({ changedTouches: [{ clientX: 0, clientY: 300 }] }), 0);
  swipe.press({ touches: [finger] }, FITS, true);
  swipe.cancel();
  assert.equal(swipe.lift({ changedTouches: [{ clientX: 0, clientY: 300 }] }), 0);
});
