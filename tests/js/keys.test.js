/** What a pressed key is called on other layouts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  digitOf,
  isPressOf,
  keyName,
  keyOf,
  printKeys,
  withKey,
} from "../../app/components/frontend/shared/keys";

test("a key with a digit on it is that digit, unless Shift is held", () => {
  for (const [key, code, shiftKey, digit] of [
    ["1", "Digit1", false, "1"],
    ["&", "Digit1", false, "1"], // AZERTY
    ["1", "Digit1", true, "1"], // AZERTY
    ["à", "Digit0", false, "0"],
    ["!", "Digit1", true, null],
    ["7", "Numpad7", false, "7"],
    ["Home", "Numpad7", false, null],
    ["a", "KeyQ", false, null],
  ])
    assert.equal(digitOf({ key, code, shiftKey }), digit, `${key} ${code}`);
});

test("a letter is what the layout types; where it has no Latin letters, the one there", () => {
  for (const [key, code, name] of [
    ["a", "KeyQ", "a"], // AZERTY
    ["Z", "KeyW", "z"],
    ["é", "Digit2", "é"],
    ["ö", "Semicolon", "ö"],
    ["и", "KeyB", "b"],
    ["ι", "KeyI", "i"],
    ["?", "KeyM", "?"],
    ["ArrowUp", "ArrowUp", "ArrowUp"],
  ])
    assert.equal(keyOf({ key, code }), name, `${key} ${code}`);
});

test("titles print the first key of a command, which a person may have changed", () => {
  const key = { key: "o", name: "Ctrl+O", ctrl: true, alt: false, shift: false };
  printKeys([
    { ...key, command: "toolBox" },
    { ...key, name: "b", command: "toolBox" },
  ]);
  assert.equal(withKey("Draw boxes", "toolBox"), "Draw boxes (Ctrl+O)");
  assert.equal(keyName("cite"), "");
  assert.equal(withKey("Cite", "cite"), "Cite");
  assert.ok(isPressOf(key, { key: "o", ctrl: true, alt: false, shift: false }));
  assert.ok(!isPressOf(key, { key: "o", ctrl: true, alt: false, shift: true }));
  printKeys([]);
});
