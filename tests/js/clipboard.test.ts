/** Where copying and pasting are heard, and what has the focus then. */

import assert from "node:assert/strict";
import test from "node:test";
import { focusedElement, listenToClipboard } from "../../app/components/frontend/shared/clipboard";

const cell = { name: "cell" };
const inner = { shadowRoot: { activeElement: cell } };
const host = { shadowRoot: { activeElement: inner } };
const body = {};
const window_ = new EventTarget();
Object.assign(globalThis, { window: window_, document: { body, activeElement: host } });

test("the focus is found through shadow roots, and on the body there is none", () => {
  assert.equal(focusedElement(), cell);
  Object.assign(document, { activeElement: body });
  assert.equal(focusedElement(), null);
  Object.assign(document, { activeElement: host });
});

test("an event that reaches only the window comes with what has the focus, until stopped", () => {
  const heard: unknown[] = [];
  const stop = listenToClipboard("paste", (event, focused) => {
    heard.push(focused);
    event.preventDefault();
  });
  // As in Firefox: dispatched on the body, and nowhere inside the shadow root.
  const event = new Event("paste", { cancelable: true });
  window_.dispatchEvent(event);
  assert.deepEqual([heard, event.defaultPrevented], [[cell], true]);
  window_.dispatchEvent(event);
  assert.equal(heard.length, 1, "what another part has handled is left alone");
  stop();
  window_.dispatchEvent(new Event("paste"));
  assert.equal(heard.length, 1);
});
