import assert from "node:assert/strict";
import { test } from "node:test";
import { Swipe } from "../../app/components/frontend/workspace/viewer/swipe";

const finger = (clientX, clientY) => ({ clientX, clientY });

/** Where a finger that goes from one point to another turns to. */
function swiped(from, to, { mayTurn = true, fingers = 1 } = {}) {
  const swipe = new Swipe();
  swipe.press({ touches: Array.from({ length: fingers }, () => finger(...from)) }, mayTurn);
  return swipe.lift({ changedTouches: [finger(...to)] });
}

test("a movement sideways turns, one up or down does not", () => {
  assert.equal(swiped([400, 300], [200, 320]), 1);
  assert.equal(swiped([200, 300], [400, 280]), -1);
  assert.equal(swiped([400, 300], [350, 300]), 0, "too short");
  assert.equal(swiped([400, 300], [300, 400]), 0, "as far down as sideways");
  assert.equal(swiped([400, 300], [400, 100]), 0);
});

test("two fingers, a tool, and a touch that was taken away turn nothing", () => {
  assert.equal(swiped([400, 300], [200, 300], { fingers: 2 }), 0);
  assert.equal(swiped([400, 300], [200, 300], { mayTurn: false }), 0);
  const swipe = new Swipe();
  swipe.press({ touches: [finger(400, 300)] }, true);
  swipe.press({ touches: [finger(400, 300), finger(500, 300)] }, true);
  assert.equal(swipe.lift({ changedTouches: [finger(0, 300)] }), 0, "a second finger came");
  swipe.press({ touches: [finger(400, 300)] }, true);
  swipe.cancel();
  assert.equal(swipe.lift({ changedTouches: [finger(0, 300)] }), 0);
});
