/** Text boxes that save themselves: what is typed is kept until the server has it. */

import assert from "node:assert/strict";
import test from "node:test";
import { Texts } from "../../app/components/frontend/workspace/fields/text_drafts";
import { loadDraft } from "../../app/components/frontend/workspace/sync/browser_storage";

const entries = new Map();
/** @type {any} */ (globalThis).localStorage = {
  getItem: (key) => entries.get(key) ?? null,
  setItem: (key, value) => entries.set(key, value),
  removeItem: (key) => entries.delete(key),
};

/** A text box as far as a test needs one. */
function textBox() {
  const listeners = {};
  return {
    value: "",
    addEventListener: (type, listener) => {
      listeners[type] = listener;
    },
    matches: () => false,
    type(text) {
      this.value = text;
      listeners.input();
    },
  };
}

/** Texts of an attempt with one box, and what it has handed over. */
function setUp({ check = () => "" } = {}) {
  entries.clear();
  const screen = { attempt: "one" };
  const texts = new Texts({ seq: () => 7, attempt: () => screen.attempt, onTyping: () => {} });
  const recorded = [];
  const open = (stored, restore = true) => {
    const box = textBox();
    const field = texts.add(box, "note", (text) => recorded.push(text), undefined, check);
    const lost = field.attach("one", stored, restore, 7);
    return { box, field, lost };
  };
  return { screen, texts, recorded, open };
}

test("a text is a draft at each key, is handed over when asked for, and stays until acknowledged", () => {
  const { texts, recorded, open } = setUp();
  const { box } = open("");
  box.type("ott");
  assert.equal(loadDraft("one", "note").text, "ott");
  assert.ok(texts.dirty);
  texts.flush();
  assert.deepEqual(recorded, ["ott"]);
  assert.ok(!texts.dirty);
  assert.equal(loadDraft("one", "note").text, "ott");
  texts.acknowledged("one", "note", "ott");
  assert.equal(loadDraft("one", "note"), null);
});

test("a draft is restored and handed over; one that lost against newer work is returned", () => {
  const { texts, recorded, open } = setUp();
  const first = open("");
  first.box.type("otters");
  first.field.cancel(); // the tab is closed
  texts.remove(first.field);
  const second = open("");
  assert.deepEqual([second.box.value, recorded, second.lost], ["otters", ["otters"], null]);
  texts.remove(second.field);
  assert.equal(open("", false).lost, "otters");
});

test("what is taken off the screen is handed over, but not to another attempt", () => {
  const { screen, texts, recorded, open } = setUp();
  const first = open("");
  first.box.type("otters");
  texts.remove(first.field);
  assert.deepEqual(recorded, ["otters"]);
  const second = open("otters");
  second.box.type("otters and eels");
  screen.attempt = "two";
  texts.remove(second.field);
  assert.deepEqual(recorded, ["otters"]);
  assert.equal(loadDraft("one", "note").text, "otters and eels");
});

test("what cannot be stored stays a draft until it is right", () => {
  const { recorded, texts, open } = setUp({
    check: (text) => (/\d/.test(text) ? "" : "No number."),
  });
  const { box, field } = open("4");
  box.type("four");
  texts.flush();
  assert.deepEqual(recorded, []);
  assert.ok(field.isInvalid);
  assert.equal(loadDraft("one", "note").text, "four");
  box.type("5");
  texts.flush();
  assert.deepEqual(recorded, ["5"]);
  assert.ok(!field.isInvalid);
});
