/** No module turns text into markup or code: what people and files supply is shown as text. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const SOURCES = "app/components/frontend";
const MARKUP = new RegExp(
  [
    "(inner|outer)HTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTML(Unsafe)?|srcdoc",
    "document\\s*\\.\\s*write(ln)?|DOMParser|parseFromString|createContextualFragment",
    "\\beval\\s*\\(|\\bnew\\s+Function\\b|javascript:|\\bset(Timeout|Interval)\\s*\\(\\s*[\"'`]",
  ].join("|"),
  "i",
);

test("no module writes markup or runs text", () => {
  const names = readdirSync(SOURCES, { recursive: true }).map(String);
  const modules = names.filter((name) => /\.tsx?$/.test(name));
  assert.ok(modules.length > 50);
  const lines = modules.flatMap((name) =>
    readFileSync(join(SOURCES, name), "utf8")
      .split("\n")
      .map((line, index) => ({ place: `${name}:${index + 1}`, line }))
      .filter(({ line }) => MARKUP.test(line)),
  );
  assert.deepEqual(lines, []);
});

test("every way of writing markup is found", () => {
  const ways = [
    "element.innerHTML = text;",
    "<div innerHTML={text} />",
    "<div dangerouslySetInnerHTML={{ __html: text }} />",
    "<iframe srcDoc={text}></iframe>",
    'element.insertAdjacentHTML("beforeend", text);',
    "range.createContextualFragment(text);",
    'new DOMParser().parseFromString(text, "text/html");',
    "document.write(text);",
    "eval(text);",
    "new Function(text)();",
    'setTimeout("run()", 10);',
  ];
  assert.deepEqual(
    ways.filter((way) => !MARKUP.test(way)),
    [],
  );
});
