import assert from "node:assert/strict";
import test from "node:test";
import * as times from "../../frontdesk/static/scripts/calendar/times.js";

const BERLIN = "Europe/Berlin";
const SUMMER_TIME_ENDS = "2026-10-25"; // at 03:00 clocks show 02:00 again
const MIDNIGHT = Date.parse("2026-10-24T22:00Z");

test("an instant has the clock and the date of the business", () => {
  const instant = Date.parse("2026-11-17T22:30Z");
  assert.equal(times.clockOf(instant, "Asia/Riyadh"), "01:30");
  assert.equal(times.dateOf(instant, "Asia/Riyadh"), "2026-11-18");
});

test("a night belongs to the day on which it began", () => {
  assert.equal(times.clockOfMinutes(25 * 60 + 5), "01:05");
  assert.equal(times.dateOfMinutes("2026-11-30", 25 * 60), "2026-12-01");
  assert.equal(times.dateOfMinutes("2026-11-30", 23 * 60), "2026-11-30");
  assert.equal(times.wallMinutes(Date.parse("2026-11-17T22:30Z"), "2026-11-17", "Asia/Riyadh"), 25 * 60 + 30);
});

test("a time of day is found on the day on which clocks are changed", () => {
  const nine = times.instantOfWallMinutes(MIDNIGHT, 9 * 60, SUMMER_TIME_ENDS, BERLIN);
  assert.equal(times.utcText(nine), "2026-10-25T08:00:00Z");
  assert.equal(times.wallMinutes(nine, SUMMER_TIME_ENDS, BERLIN), 9 * 60);
  const one = times.instantOfWallMinutes(MIDNIGHT, 60, SUMMER_TIME_ENDS, BERLIN);
  assert.equal(times.utcText(one), "2026-10-24T23:00:00Z");
});

test("a place has a class for its start and one for its end", () => {
  const classes = times.placeClasses(9 * 60 + 15, 10 * 60);
  assert.deepEqual(classes, ["from-9-15", "to-10"]);
  assert.ok(classes.every(times.isPlaceClass));
  assert.ok(!["slot", "mine", "status-draft", "free"].some(times.isPlaceClass));
  assert.deepEqual(times.placeClasses(9 * 60 + 17, 10 * 60 - 2), classes); // in steps of five minutes
});

test("the first arrow goes to the period that ends next, or to the first of all", () => {
  assert.equal(times.indexFrom([300, 100, 200], 150), 2);
  assert.equal(times.indexFrom([300, 100, 200], 900), 1);
  assert.equal(times.indexFrom([], 900), -1);
});

test("a drag covers every step of the grid that it touches", () => {
  assert.deepEqual(times.draggedRange(607, 640, 15), { start: 600, end: 645 });
  assert.deepEqual(times.draggedRange(640, 607, 15), { start: 600, end: 645 });
  assert.deepEqual(times.draggedRange(-4, 20, 30), { start: 0, end: 30 });
});
