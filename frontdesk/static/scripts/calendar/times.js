// Times of a calendar. A place in a column is the minutes since the midnight with which its day began: 1500 is 01:00.

export const MINUTE = 60_000;
export const DAY_MINUTES = 1440;
const STEP = 5; // of the classes that place a block

/**
 * As the clocks of a time zone show it, such as 14:30.
 * @param {number} instant
 * @param {string | undefined} zone
 */
export const clockOf = (instant, zone) =>
  new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone }).format(
    instant,
  );

/**
 * The date in a time zone, such as 2026-11-17.
 * @param {number} instant
 * @param {string | undefined} zone
 */
export const dateOf = (instant, zone) =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: zone }).format(instant);

/** @param {number} minutes */
export function clockOfMinutes(minutes) {
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
}

/**
 * A night belongs to the day on which it began: what is after midnight has the date of the next day.
 * @param {string} date
 * @param {number} minutes
 */
export const dateOfMinutes = (date, minutes) =>
  new Date(Date.parse(date) + Math.floor(minutes / DAY_MINUTES) * DAY_MINUTES * MINUTE).toISOString().slice(0, 10);

/**
 * The minutes that clocks show at an instant of a day, or of the night after it.
 * @param {number} instant
 * @param {string} date
 * @param {string | undefined} zone
 */
export function wallMinutes(instant, date, zone) {
  const [hours = 0, minutes = 0] = clockOf(instant, zone).split(":").map(Number);
  return hours * 60 + minutes + (dateOf(instant, zone) > date ? DAY_MINUTES : 0);
}

/**
 * The instant at which clocks show these minutes, also on a day on which they are changed.
 * @param {number} midnight
 * @param {number} minutes
 * @param {string} date
 * @param {string | undefined} zone
 */
export function instantOfWallMinutes(midnight, minutes, date, zone) {
  const instant = midnight + minutes * MINUTE;
  return instant + (minutes - wallMinutes(instant, date, zone)) * MINUTE;
}

/**
 * Which of some periods is going on or comes first; the first of all if they are over.
 * @param {number[]} ends
 * @param {number} now
 */
export function indexFrom(ends, now) {
  const left = ends.filter((end) => end > now);
  return ends.indexOf(left.length ? Math.min(...left) : Math.min(...ends));
}

/**
 * The steps of the grid that a drag from one minute to another touches, downward or upward.
 * @param {number} from
 * @param {number} to
 * @param {number} grid
 */
export const draggedRange = (from, to, grid) => ({
  start: Math.max(0, Math.floor(Math.min(from, to) / grid) * grid),
  end: Math.ceil(Math.max(from, to) / grid) * grid,
});

/** @param {number} instant */
export const utcText = (instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/**
 * The classes that place a block from one minute to another.
 * @param {number} start
 * @param {number} end
 */
export function placeClasses(start, end) {
  const part = (/** @type {string} */ side, /** @type {number} */ at) =>
    at % 60 ? `${side}-${Math.floor(at / 60)}-${at % 60}` : `${side}-${at / 60}`;
  const first = Math.floor(start / STEP) * STEP;
  const last = Math.ceil(end / STEP) * STEP;
  return [part("from", first), part("to", last)];
}

/** @param {string} className */
export const isPlaceClass = (className) => /^(from|to)-\d+/.test(className);
