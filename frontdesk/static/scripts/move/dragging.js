// Where a booking goes while it is dragged, in minutes since the midnight of its column.

const SHORTEST = 5;

/** @typedef {{ start: number, end: number }} Minutes */

/**
 * The minutes that a way down a column stands for, in steps of the grid.
 * @param {number} pixels
 * @param {number} height of the column
 * @param {number} shown minutes in it
 * @param {number} grid
 */
export const minutesDragged = (pixels, height, shown, grid) => Math.round((pixels * shown) / height / grid) * grid;

/**
 * The start lies on the grid, unless the booking is only taken to another column.
 * @param {Minutes} from
 * @param {number} by
 * @param {number} grid
 * @returns {Minutes}
 */
export function moved(from, by, grid) {
  const start = by ? Math.round((from.start + by) / grid) * grid : from.start;
  return { start, end: start + from.end - from.start };
}

/**
 * @param {Minutes} from
 * @param {number} by
 * @returns {Minutes}
 */
export const resized = (from, by) => ({ start: from.start, end: Math.max(from.start + SHORTEST, from.end + by) });
