import assert from "node:assert/strict";
import test from "node:test";
import { minutesDragged, moved, resized } from "../../frontdesk/static/scripts/move/dragging.js";

// A column of 780 pixels that shows 13 hours: a pixel is a minute.
const dragged = (pixels, grid) => minutesDragged(pixels, 780, 780, grid);

test("a way down the column is minutes in steps of the grid", () => {
  assert.equal(dragged(60, 15), 60);
  assert.equal(dragged(67, 15), 60);
  assert.equal(dragged(68, 15), 75);
  assert.equal(dragged(-68, 15), -75);
  assert.equal(minutesDragged(30, 390, 780, 5), 60);
});

test("a dragged booking begins on the grid and keeps its length", () => {
  assert.deepEqual(moved({ start: 547, end: 592 }, 30, 15), { start: 570, end: 615 });
  assert.deepEqual(moved({ start: 600, end: 645 }, -45, 15), { start: 555, end: 600 });
});

test("a booking that is only taken to another column keeps its start", () => {
  assert.deepEqual(moved({ start: 547, end: 592 }, 0, 15), { start: 547, end: 592 });
});

test("a booking is not made shorter than five minutes", () => {
  assert.deepEqual(resized({ start: 600, end: 645 }, 30), { start: 600, end: 675 });
  assert.deepEqual(resized({ start: 600, end: 645 }, -300), { start: 600, end: 605 });
});
