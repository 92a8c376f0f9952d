import assert from "node:assert/strict";
import test from "node:test";
import { nextDay } from "../../frontdesk/static/scripts/public-days.js";

const MONTH = { isMonth: true, isRightToLeft: false };
const ARABIC = { isMonth: true, isRightToLeft: true };
const WEEK = { isMonth: false, isRightToLeft: false };
const OPEN = Array.from({ length: 28 }, (_, place) => place > 8 && ![10, 17].includes(place));

test("an arrow leads to the next day that can be chosen, as days lie on the screen", () => {
  assert.equal(nextDay(OPEN, 9, "ArrowRight", MONTH), 11);
  assert.equal(nextDay(OPEN, 11, "ArrowLeft", MONTH), 9);
  assert.equal(nextDay(OPEN, 9, "ArrowLeft", ARABIC), 11);
  assert.equal(nextDay(OPEN, 11, "ArrowRight", ARABIC), 9);
});

test("up and down stay on the weekday of a month", () => {
  assert.equal(nextDay(OPEN, 24, "ArrowUp", MONTH), -1);
  assert.equal(nextDay(OPEN, 9, "ArrowDown", ARABIC), 16);
  assert.equal(nextDay(OPEN, 9, "ArrowDown", WEEK), -1);
});

test("there is no day beyond the first and the last, which have keys of their own", () => {
  assert.equal(nextDay(OPEN, 9, "ArrowLeft", MONTH), -1);
  assert.equal(nextDay(OPEN, 27, "ArrowRight", MONTH), -1);
  assert.equal(nextDay(OPEN, 20, "Home", WEEK), 9);
  assert.equal(nextDay(OPEN, 20, "End", WEEK), 27);
  assert.equal(nextDay(OPEN, 20, "Enter", WEEK), -1);
});
