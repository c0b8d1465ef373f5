/** Words of a page on their way into the answer. */

import assert from "node:assert/strict";
import test from "node:test";
import { withCopied } from "../../app/components/frontend/workspace/viewer/copy_to_answer";

test("copied words are a line of a list or go on after prose, on one line", () => {
  for (const [answer, words, isList, expected] of [
    ["", "net income\nof 12 m ", true, "net income of 12 m"],
    ["one\n", "two", true, "one\ntwo"],
    ["The income was ", "12 m", false, "The income was 12 m"],
    ["x".repeat(19998), "y", true, `${"x".repeat(19998)}\ny`],
    ["x".repeat(19999), "y", true, null],
  ]) {
    assert.equal(withCopied(answer, words, isList), expected);
  }
});
