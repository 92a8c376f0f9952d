// The calendar of a page: its columns, and the times in them. A column is a provider's day with the night after it, of the
// day that is shown or, with data-date, of one of the week. The columns of a week are drawn by the time of day, those of a
// day by the minutes that pass.
import { findAll, get } from "../dom.js";
import * as times from "./times.js";

export const findCalendar = () => document.getElementById("cal"); // live updates may replace it
export const calendar = () => get("#cal");
export const columns = () => findAll(".calendar-column[data-staff]", calendar());
export const gridMinutes = () => Number(calendar().dataset.grid);
export const zone = () => calendar().dataset.zone;

const number = (/** @type {string} */ name) => Number(getComputedStyle(calendar()).getPropertyValue(name));
export const firstMinute = () => number("--first-hour") * 60;
export const shownMinutes = () => number("--hours") * 60;

/** @param {HTMLElement} column */
export const midnightOf = (column) => Date.parse(column.dataset.midnight ?? calendar().dataset.midnight ?? "");

/** @param {Element} block */
export const columnOf = (block) => /** @type {HTMLElement} */ (block.closest(".calendar-column"));

/**
 * The minutes at a height of the window.
 * @param {HTMLElement} column
 * @param {number} y
 */
export function minutesAt(column, y) {
  const box = column.getBoundingClientRect();
  return firstMinute() + ((y - box.top) / box.height) * shownMinutes();
}

/**
 * @param {HTMLElement} column
 * @param {number} minutes
 */
export function clockIn(column, minutes) {
  if (column.dataset.date) return times.clockOfMinutes(minutes);
  return times.clockOf(midnightOf(column) + minutes * times.MINUTE, zone());
}

/**
 * @param {HTMLElement} column
 * @param {number} minutes
 */
export function dateIn(column, minutes) {
  if (column.dataset.date) return times.dateOfMinutes(column.dataset.date, minutes);
  return times.dateOf(midnightOf(column) + minutes * times.MINUTE, zone());
}

/**
 * @param {HTMLElement} column
 * @param {number} minutes
 */
export function instantIn(column, minutes) {
  const { date } = column.dataset;
  const midnight = midnightOf(column);
  return date ? times.instantOfWallMinutes(midnight, minutes, date, zone()) : midnight + minutes * times.MINUTE;
}

/**
 * @param {HTMLElement} column
 * @param {string} instant
 */
export function minutesOf(column, instant) {
  if (column.dataset.date) return times.wallMinutes(Date.parse(instant), column.dataset.date, zone());
  return (Date.parse(instant) - midnightOf(column)) / times.MINUTE;
}
