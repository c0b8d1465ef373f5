/** Times, days and numbers as the browser writes them. */

import assert from "node:assert/strict";
import test from "node:test";

import { grouped, notation } from "../../app/components/frontend/shared/notation";

const AT = "2026-11-22T23:37:52.825Z";
const german = notation("de-DE", "Europe/Berlin");
const british = notation("en-GB", "UTC");

test("German notation in Berlin's time zone", () => {
  assert.equal(german.dayWords(AT), "23. Nov. 2026");
  assert.equal(german.dayWords(AT, new Date("2026-01-01T00:00:00Z")), "23. Nov.");
  assert.equal(german.timeOfDay(AT), "00:37:52");
  assert.equal(german.grouped(1234567), "1.234.567");
  assert.equal(german.fixed(0.5, 2), "0,50");
  assert.equal(german.sameDay(AT, "2026-11-23T10:00:00Z"), true);
});

test("British notation in UTC", () => {
  assert.equal(british.dayWords(AT), "22 Nov 2026");
  assert.equal(british.dayWords(AT, new Date("2026-01-01T00:00:00Z")), "22 Nov");
  assert.equal(british.timeOfDay(AT, false), "23:37");
  assert.equal(british.grouped(1234), "1,234");
  assert.equal(british.fixed(0.5, 2), "0.50");
  assert.equal(british.sameDay(AT, "2026-11-23T10:00:00Z"), false);
});

test("digits are Latin in every locale", () => {
  assert.match(notation("ar-EG", "UTC").grouped(1234), /^1.234$/);
  assert.match(notation("fa-IR", "UTC").dayWords(AT), /\d/);
});

test("the server's texts get the locale's decimal point", () => {
  assert.equal(german.localised("3.2 s"), "3,2 s");
  assert.equal(german.localised("cited. 12 s"), "cited. 12 s");
  assert.equal(british.localised("3.2 s"), "3.2 s");
});

test("without a locale, the browser's own", () => {
  assert.equal(grouped(1234567), new Intl.NumberFormat().format(1234567));
});
