/** Texts from data as elements: their direction, and what is said of flags and skips. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

class Element {
  children = [];
  attributes = new Map();

  constructor(tag) {
    this.tag = tag;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  append(...nodes) {
    this.children.push(...nodes);
  }

  replaceChildren(...nodes) {
    this.children = nodes;
  }

  addEventListener(type, handler) {
    this[`on${type}`] = handler;
  }

  set textContent(text) {
    this.children = [text];
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }
}
globalThis.HTMLButtonElement = class extends Element {};
globalThis.HTMLInputElement = class extends Element {};
globalThis.HTMLTextAreaElement = class extends Element {};
const SPECIAL = {
  button: HTMLButtonElement,
  input: HTMLInputElement,
  textarea: HTMLTextAreaElement,
};
globalThis.document = {
  createElement: (tag) => new (SPECIAL[tag] ?? Element)(tag),
  createElementNS: (_space, tag) => new Element(tag),
};

const { h } = await import("../../app/components/frontend/shared/dom");
const { RaisedFlags } = await import("../../app/components/frontend/reviewing/raised_flags");
const source = (name) => readFileSync(`app/components/frontend/${name}`, "utf8");

test("texts run in the direction of their own letters", () => {
  for (const tag of ["input", "textarea"]) assert.equal(h(tag).dir, "auto", tag);
  const [, tags] = source("shared/base.css").match(
    /\.pt :where\(([a-z, ]+)\) \{\s*unicode-bidi: plaintext;/,
  );
  for (const tag of ["p", "li", "td", "dd"]) assert.ok(tags.split(", ").includes(tag), tag);
  for (const [file, part] of [
    ["workspace/screen_parts.ts", "question"],
    ["reviewing/question_box.ts", "question"],
    ["replay/current_state.ts", "replay-query"],
  ])
    assert.match(source(file), new RegExp(`h\\("p", \\{[^}]*testid: "${part}"`), file);
  assert.match(source("workspace/search.css"), /\.card-snippet \{[^}]*unicode-bidi: plaintext;/);
});

test("flags and skips are told above the question, and can be handled", () => {
  const handled = [];
  const flags = new RaisedFlags((...act) => handled.push(act));
  const one = { attempt: "a1", name: "Ada", flag: "cut off", skipped: true, skip_reason: null };
  const raised = [
    { ...one, handled: false },
    { ...one, attempt: "a2", flag: null, handled: true },
  ];
  flags.update({ data: { raised }, readOnly: false, acting: false });
  const lines = flags.element.children;
  assert.equal(
    lines[0].children[1].textContent,
    "Ada flagged it: “cut off”; skipped it, without a comment",
  );
  assert.equal(lines[1].children[1].textContent, "Ada skipped it, without a comment · handled");
  for (const line of lines) line.children[2].onclick();
  assert.deepEqual(handled, [
    ["a1", true],
    ["a2", false],
  ]);
  flags.update({ data: { raised: [] }, readOnly: false, acting: false });
  assert.equal(flags.element.hidden, true);
  assert.match(
    source("reviewing/reviewing.ts"),
    /this\.flags\.element,\s*this\.question\.element,/,
    "above the question",
  );
});
