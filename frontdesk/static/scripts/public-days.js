// The days of the booking page: the arrow keys go from one that can be chosen to the next, as they lie on the screen.
import { find } from "./dom.js";

const COLUMNS = 7;
const ACROSS = { ArrowRight: 1, ArrowLeft: -1 };
const DOWN = { ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
/** Of the links beside the name of the month. @type {Record<string, string>} */
const PAGES = { PageUp: "first-child", PageDown: "last-child" };

/**
 * The place of the day that a key leads to; -1: there is none.
 * @param {boolean[]} open whether each place of the list has a day that can be chosen
 * @param {number} from
 * @param {string} key
 * @param {{ isMonth: boolean, isRightToLeft: boolean }} list
 */
export function nextDay(open, from, key, { isMonth, isRightToLeft }) {
  if (key === "Home") return open.indexOf(true);
  if (key === "End") return open.lastIndexOf(true);
  const across = ACROSS[/** @type {keyof typeof ACROSS} */ (key)] ?? 0;
  const down = isMonth ? (DOWN[/** @type {keyof typeof DOWN} */ (key)] ?? 0) : 0;
  const step = down || (isRightToLeft ? -across : across);
  if (!step) return -1;
  let place = from + step;
  while (place in open && !open[place]) place += step;
  return place in open ? place : -1;
}

/** @param {KeyboardEvent} event */
function goToDay(event) {
  const link = event.target instanceof HTMLElement ? event.target.closest("a") : null;
  const list = link?.closest(".days, .month");
  if (!link || !list || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in PAGES) {
    const page = find(`.week-steps > a:${PAGES[event.key]}`);
    if (page) event.preventDefault();
    page?.click();
    return;
  }
  const places = [...list.querySelectorAll("li, td")].map((place) => place.querySelector("a"));
  const open = places.map(Boolean);
  const view = { isMonth: list.className === "month", isRightToLeft: getComputedStyle(list).direction === "rtl" };
  const next = places[nextDay(open, places.indexOf(link), event.key, view)];
  if (!next) return;
  event.preventDefault();
  stopAt(next);
  next.focus();
}

/**
 * The Tab key stops at one day of a month. Without script it stops at each.
 * @param {HTMLElement} day
 */
function stopAt(day) {
  for (const other of day.closest(".month")?.querySelectorAll("a") ?? []) other.tabIndex = other === day ? 0 : -1;
}

/** Also called for days that take the place of others. */
export function prepareDays() {
  const day = find(".month a[aria-current]") ?? find(".month a");
  if (day) stopAt(day);
}

export function watchDays() {
  document.addEventListener("keydown", goToDay);
  prepareDays();
}
