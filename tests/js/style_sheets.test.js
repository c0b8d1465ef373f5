/** Style sheets: each is loaded by a screen, and no rule is for a class that no module sets. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";

const SOURCES = "app/components/frontend";
const files = (suffix) =>
  readdirSync(SOURCES, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ name, text: readFileSync(join(SOURCES, name), "utf8") }));
const modules = [...files(".ts"), ...files(".tsx")];
const sheets = files(".css");

test("every style sheet is loaded", () => {
  const loaded = modules.flatMap(({ name, text }) =>
    [...text.matchAll(/^import "(\.[^"]+\.css)";/gm)].map(([, path]) =>
      relative(SOURCES, join(SOURCES, dirname(name), path)),
    ),
  );
  assert.deepEqual(sheets.map(({ name }) => name).sort(), loaded.sort());
});

test("every class in a style sheet is a word of some module", () => {
  const words = new Set(modules.flatMap(({ text }) => text.match(/[\w-]+/g)));
  for (const { name, text } of sheets) {
    const rules = text.replace(/\/\*.*?\*\//gs, "");
    for (const [, className] of rules.matchAll(/\.([a-z][\w-]*)/gi)) {
      if (className.startsWith("cm-")) continue; // CodeMirror's own
      assert.ok(words.has(className), `${name}: .${className}`);
    }
  }
});
