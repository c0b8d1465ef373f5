/** Texts from data as elements: their direction, and what is said of flags and skips. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RaisedFlags } from "../../app/components/frontend/reviewing/RaisedFlags";
import { createReviewStore } from "../../app/components/frontend/reviewing/store";

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
const source = (name) => readFileSync(`app/components/frontend/${name}`, "utf8");

test("texts run in the direction of their own letters", () => {
  for (const tag of ["input", "textarea"]) assert.equal(h(tag).dir, "auto", tag);
  const [, tags] = source("shared/base.css").match(
    /\.pt :where\(([a-z, ]+)\) \{\s*unicode-bidi: plaintext;/,
  );
  for (const tag of ["p", "li", "td", "dd"]) assert.ok(tags.split(", ").includes(tag), tag);
  for (const [file, part] of [
    ["workspace/panels/Question.tsx", "question"],
    ["reviewing/QuestionBox.tsx", "question"],
    ["replay/CurrentState.tsx", "replay-query"],
  ])
    assert.match(source(file), new RegExp(`<p [^>]*data-testid="${part}"`), file);
  assert.match(
    source("workspace/search/ResultCards.css"),
    /\.card-snippet \{[^}]*unicode-bidi: plaintext;/,
  );
});

/** The elements of a tree of components that have not been rendered, in their order. */
function elementsOf(node) {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (!node?.props) return [];
  return [node, ...elementsOf(node.props.children)];
}

test("flags and skips are told above the question, and can be handled", () => {
  const handled = [];
  const store = createReviewStore();
  const onHandle = (...act) => handled.push(act);
  const show = (raised) => {
    store.set({ loaded: { raised_flags: raised, holder: null } });
    return elementsOf(RaisedFlags({ store, onHandle }));
  };
  const one = { attempt: "a1", name: "Ada", flag: "cut off", skipped: true, skip_reason: null };
  const elements = show([
    { ...one, handled: false },
    { ...one, attempt: "a2", flag: null, handled: true },
  ]);
  const lines = elements.filter(({ type }) => type === "p");
  assert.deepEqual(
    lines.map(({ props: { children } }) => [children[0].props.children, children[1]]),
    [
      ["Ada", " flagged it: “cut off”; skipped it, without a comment"],
      ["Ada", " skipped it, without a comment · handled"],
    ],
  );
  for (const { props } of elements) props.onClick?.();
  assert.deepEqual(handled, [
    ["a1", true],
    ["a2", false],
  ]);
  assert.deepEqual(show([]), []);
  const screen = source("reviewing/ReviewScreen.tsx");
  assert.ok(screen.indexOf("<RaisedFlags") < screen.indexOf("<QuestionBox"), "above the question");
});
