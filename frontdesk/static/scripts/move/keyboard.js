// Keys: M picks the focused booking up, arrows carry it (with Shift they make it longer or shorter), Enter drops it.
import { announce } from "../announce.js";
import { calendar, clockIn, columns, gridMinutes } from "../calendar/grid.js";
import { around, hasModifier } from "../dom.js";
import { canMove, carried, moveTo, nameOf, pickUp, place, putBack } from "./carried.js";
import { drop } from "./drop.js";

const STEP = 15;
/** @type {Record<string, number>} */
const DOWN = { ArrowDown: 1, ArrowUp: -1 };
/** @type {Record<string, number>} */
const SIDEWAYS = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * @param {KeyboardEvent} event
 * @param {import("./carried.js").Carried} moved
 */
function step(event, moved) {
  const { column, start, end } = moved;
  const down = DOWN[event.key] ?? 0;
  const side = (SIDEWAYS[event.key] ?? 0) * (document.dir === "rtl" ? -1 : 1);
  if (side) moveTo(columns()[columns().indexOf(column) + side], start, end);
  else if (event.shiftKey) moveTo(column, start, end + down * gridMinutes());
  else moveTo(column, start + down * STEP, end + down * STEP);
  moved.copy.focus({ preventScroll: true });
  moved.copy.scrollIntoView({ block: "nearest", inline: "nearest" });
  announce(`${clockIn(moved.column, moved.start)}–${clockIn(moved.column, moved.end)}, ${nameOf(moved.column)}`);
}

/**
 * Whether the key was one of them.
 * @param {KeyboardEvent} event
 * @param {import("./carried.js").Carried} moved
 */
function carry(event, moved) {
  if (event.key === "Escape") putBack();
  else if (event.key === "Enter") moved.copy.matches(".refused") || drop();
  else if (event.key in DOWN || event.key in SIDEWAYS) step(event, moved);
  else return false;
  return true;
}

/** @param {KeyboardEvent} event */
function useKey(event) {
  if (hasModifier(event)) return;
  const block = around(event, "a.booking");
  if (carried) {
    if (!carry(event, carried)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (event.key.toLowerCase() === "m" && block && canMove(block) && calendar().contains(block)) {
    const moved = pickUp(block);
    moved.copy.focus({ preventScroll: true });
    place(moved);
    event.preventDefault();
  }
}

export const listenToKeys = () => addEventListener("keydown", useKey, { capture: true });
