// The booking that is carried: its old place stays as a ghost, a copy of its block is where it would go.
import { calendar, clockIn, columnOf, firstMinute, minutesOf } from "../calendar/grid.js";
import { isPlaceClass, MINUTE, placeClasses } from "../calendar/times.js";
import { find } from "../dom.js";
import { clearSide } from "./side.js";

/**
 * @typedef {{ column: HTMLElement, start: number, end: number }} Place
 * @typedef {Place & { block: HTMLElement, copy: HTMLElement, from: Place }} Carried
 */

/** @type {Carried | null} */
export let carried = null;

/** Tells "placed" and "released". */
export const changes = new EventTarget();

/** @param {HTMLElement | null} block */
export const canMove = (block) =>
  Boolean(block && !block.matches(".status-completed, .status-canceled, .status-draft, .mine, .ghosted"));

/** @param {HTMLElement} block */
export function pickUp(block) {
  const copy = /** @type {HTMLElement} */ (block.cloneNode(true));
  copy.removeAttribute("aria-current");
  copy.classList.add("mine");
  block.classList.add("ghosted");
  const { start: starts = "", end: ends = "" } = block.dataset;
  const column = columnOf(block);
  const start = minutesOf(column, starts);
  const end = start + (Date.parse(ends) - Date.parse(starts)) / MINUTE;
  carried = { block, copy, column, start, end, from: { start, end, column } };
  column.append(copy);
  return carried;
}

/** @param {Carried} moved */
export const isUnmoved = ({ column, start, end, from }) =>
  column === from.column && start === from.start && end === from.end;

/** @param {Carried} moved */
export function place({ copy, column, start, end }) {
  const kept = [...copy.classList].filter((name) => !isPlaceClass(name) && name !== "accepted" && name !== "refused");
  copy.className = [...kept, ...placeClasses(start, end)].join(" ");
  const time = find("time", copy);
  const starts = clockIn(column, start);
  if (time) time.textContent = time.matches(".ltr") ? `${starts}–${clockIn(column, end)}` : starts;
  if (copy.parentElement !== column) column.append(copy);
  changes.dispatchEvent(new Event("placed"));
}

/**
 * @param {HTMLElement | undefined} column
 * @param {number} start
 * @param {number} end
 */
export function moveTo(column, start, end) {
  if (!carried || !column || start < firstMinute() || end <= start) return;
  if (column === carried.column && start === carried.start && end === carried.end) return;
  place(Object.assign(carried, { column, start, end }));
}

/** The copy stays where it is: it is the booking now. */
export function release() {
  carried = null;
  changes.dispatchEvent(new Event("released"));
}

export function putBack({ keepSide = false } = {}) {
  if (!carried) return;
  const { block, copy } = carried;
  release();
  const isFocused = copy.contains(document.activeElement);
  copy.remove();
  block.classList.remove("ghosted");
  if (isFocused) block.focus({ preventScroll: true });
  if (!keepSide) clearSide();
  document.dispatchEvent(new CustomEvent("frontdesk:drawn"));
}

/** @param {HTMLElement} column */
export const nameOf = (column) => column.previousElementSibling?.querySelector("b")?.textContent ?? "";

export const hint = () => (carried && calendar().dataset.hint) || "";
