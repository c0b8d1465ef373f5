/** Times, days and numbers as a profile wants them. */

import assert from "node:assert/strict";
import test from "node:test";

import {
  dayWords,
  fixed,
  grouped,
  localised,
  sameDay,
  timeOfDay,
  useRegional,
} from "../../app/components/assets/shared/regional.js";

const AT = "2026-11-22T23:37:52.825Z";

test("a chosen zone and notation", () => {
  useRegional({ zone: "Europe/Berlin", day: "%d.%m.%Y", group: ".", decimal: "," });
  assert.equal(dayWords(AT), "23.11.2026");
  assert.equal(timeOfDay(AT), "00:37:52");
  assert.equal(grouped(1234567), "1.234.567");
  assert.equal(fixed(0.5, 2), "0,50");
  assert.equal(sameDay(AT, "2026-11-23T10:00:00Z"), true);
});

test("without a notation the day is in words, and the year only where it is another", () => {
  useRegional({ zone: "UTC", day: null, group: ",", decimal: "." });
  assert.equal(dayWords(AT), "22 Nov 2026");
  assert.equal(dayWords(AT, new Date("2026-01-01T00:00:00Z")), "22 Nov");
  assert.equal(timeOfDay(AT, false), "23:37");
  assert.equal(grouped(1234), "1,234");
  assert.equal(sameDay(AT, "2026-11-23T10:00:00Z"), false);
});

test("words of the server get the reader's decimal point", () => {
  useRegional({ zone: "UTC", day: null, group: ".", decimal: "," });
  assert.equal(localised("3.2 s"), "3,2 s");
  assert.equal(localised("cited. 12 s"), "cited. 12 s");
  useRegional({ zone: "UTC", day: null, group: ",", decimal: "." });
});
