/** The message catalogue: what `t` and `tn` return, and that no sentence is written beside them. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test, { afterEach } from "node:test";
import {
  joinedWords,
  t,
  tn,
  useTranslations,
  withElements,
} from "../../app/components/frontend/shared/messages";

// Not bundled with the test: the compiler is large.
const ts = createRequire(join(process.cwd(), "package.json"))("typescript");

const SOURCES = "app/components/frontend";
const CALLS = new Set(["t", "tn", "N_"]);
/** Properties and attributes that people read. */
const SHOWN =
  /^(aria-label|aria-valuetext|alt|title|label|text|placeholder|message|hint|note|help|error|word|heading|description)$/;
/** Functions that show their first argument. */
const SHOWING = /\.(say|toast|hint|notify|setNotice|showError|onMessage)$/;
const SENTENCE = /\p{L}.* .*\p{L}|^\p{Lu}\p{Ll}+$|\p{L}[.?!…]$/u;

afterEach(() => useTranslations({ language: "en", messages: {} }));

test("without translations sentences are English", () => {
  assert.equal(t("Page {page} of {document}", { page: 3, document: "a.pdf" }), "Page 3 of a.pdf");
  assert.equal(tn("{number} page", "{number} pages", 1), "1 page");
  assert.equal(tn("{number} page", "{number} pages", 2), "2 pages");
  assert.equal(joinedWords(["a", "b", "c"]), "a, b and c");
});

test("a translation has its own order and its language's plural forms", () => {
  useTranslations({
    language: "pl",
    messages: {
      "Page {page} of {document}": "{document}, strona {page}",
      "{number} page": { one: "{number} strona", few: "{number} strony", many: "{number} stron" },
    },
  });
  assert.equal(t("Page {page} of {document}", { page: 3, document: "a.pdf" }), "a.pdf, strona 3");
  const pages = (number) => tn("{number} page", "{number} pages", number);
  assert.deepEqual([1, 3, 5].map(pages), ["1 strona", "3 strony", "5 stron"]);
  assert.equal(t("Not translated"), "Not translated");
});

test("values are inserted once, and elements take the places of their names", () => {
  assert.equal(t("“{text}” by {name}", { text: "{name}", name: "alma" }), "“{name}” by alma");
  assert.deepEqual(withElements("Did you mean {query}?", { query: 1 }), ["Did you mean ", 1, "?"]);
  assert.deepEqual(withElements("{other}", {}), ["", "{other}", ""]);
});

/** Line and text of every sentence that is not a message. */
function sentencesOutside(name, source) {
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind);
  const outside = [];
  const report = (node, text) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    outside.push(`${name}:${line + 1} ${text.trim().replace(/\s+/g, " ")}`);
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxText(node)) {
      if (/\p{L}/u.test(node.text) && !isForMachines(node, node.text)) report(node, node.text);
      return;
    }
    if (ts.isCallExpression(node) && CALLS.has(node.expression.getText())) {
      checkMessage(node, report);
      for (const argument of node.arguments) if (!ts.isStringLiteralLike(argument)) visit(argument);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = literalText(node);
      if (isRead(node, text)) report(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return outside;
}

/** Messages are literals, so that they can be collected, and translated when they are shown. */
function checkMessage(call, report) {
  const name = call.expression.getText();
  const [first, second] = call.arguments;
  const messages = name === "tn" ? [first, second] : [first];
  const isConstant =
    name === "t" &&
    !ts.isTemplateExpression(first) &&
    !(ts.isBinaryExpression(first) && first.operatorToken.getText() === "+");
  for (const message of messages)
    if (!ts.isStringLiteralLike(message) && !isConstant) report(message, message.getText());
  if (name !== "N_" && !isInFunction(call)) report(call, `${call.getText()} before there are any`);
}

function isInFunction(node) {
  for (let { parent } = node; parent; parent = parent.parent)
    if (ts.isFunctionLike(parent) || ts.isPropertyDeclaration(parent)) return true;
  return false;
}

/** What is written in the source, with a space for each value. */
function literalText(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(" ");
}

/** Whether people read a text: by where it goes, or because it is a sentence. */
function isRead(node, text) {
  if (!/\p{L}/u.test(text)) return false;
  const place = placeOf(node);
  if (place === "hidden" || isForMachines(node, text)) return false;
  return place === "shown" || SENTENCE.test(text);
}

/** Follow a value outwards, through conditions and joins, to where it is used. */
function placeOf(node) {
  const { parent } = node;
  if (ts.isJsxExpression(parent))
    return ts.isJsxAttribute(parent.parent) ? attributePlace(parent.parent) : "shown";
  if (ts.isJsxAttribute(parent)) return attributePlace(parent);
  if (ts.isPropertyAssignment(parent))
    return parent.name === node ? "hidden" : namedPlace(parent.name.text ?? "");
  if (ts.isConditionalExpression(parent))
    return parent.condition === node ? "hidden" : placeOf(parent);
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)) return placeOf(parent);
  if (ts.isBinaryExpression(parent))
    return ["??", "||", "&&", "+"].includes(parent.operatorToken.getText())
      ? placeOf(parent)
      : "hidden";
  if (ts.isCallExpression(parent))
    return SHOWING.test(parent.expression.getText()) && parent.arguments[0] === node
      ? "shown"
      : "unknown";
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return "hidden";
  return "unknown";
}

const attributePlace = (attribute) => namedPlace(attribute.name.getText(), "hidden");
const namedPlace = (name, otherwise = "unknown") => (SHOWN.test(name) ? "shown" : otherwise);

/** Texts with spaces or capitals that are not for people. */
function isForMachines(node, text) {
  const { parent } = node;
  if (ts.isNewExpression(parent) && parent.expression.getText() === "Error") return true;
  if (ts.isPropertyAssignment(parent) && /^(class|style|d|rel)$/.test(parent.name.text))
    return true;
  return [
    /^(Enter|Escape|Esc|Arrow|Arrow\w+|Page(Up|Down)|BroadcastChannel|Content-Type)$/, // names
    /^\p{Lu}$|^\(\w\)$/u, // keys
    /^\/\w+\/ |^\?/, // addresses
    /^pt- |^-[a-z]+$/, // ids
    /[[\]]|^[a-z]+(, [a-z]+)+$/, // selectors
    /^\((max-|pointer: )|^(aspect-ratio|visibility|translate\w*|clamp|calc|min|rgb|var)\b|^\d+px /, // styles
    /^[\dMmLlHhVvAaCcSsZz\s.,-]+$/, // paths
    /^(pt|box-badge|button|dialog|options|patch|person-box|right)( [a-z-]+)+$/, // classes
    /pages\? \(/, // a regular expression
    /^agreed parts$/, // keys of rows
  ].some((pattern) => pattern.test(text.trim()));
}

test("every sentence of the browser code is a message", () => {
  const names = readdirSync(SOURCES, { recursive: true }).map(String);
  const outside = names
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .sort()
    .flatMap((name) => sentencesOutside(name, readFileSync(join(SOURCES, name), "utf8")));
  assert.deepEqual(outside, []);
});

test("the check finds sentences in markup, attributes, objects and calls", () => {
  const source = `
    const LABELS = { open: "In progress", closed: t("Closed") };
    function Row({ isOpen, n }) {
      screen.toast(isOpen ? \`\${n} left\` : t("None left"));
      h("p", { class: "quiet line", text: "empty" });
      return <p class="quiet" title={isOpen ? "open" : t("Closed")}>Save {t("rows " + n)}</p>;
    }`;
  assert.deepEqual(sentencesOutside("row.tsx", source), [
    "row.tsx:2 In progress",
    'row.tsx:2 t("Closed") before there are any',
    "row.tsx:4 left",
    "row.tsx:5 empty",
    "row.tsx:6 open",
    "row.tsx:6 Save",
    'row.tsx:6 "rows " + n',
  ]);
});
