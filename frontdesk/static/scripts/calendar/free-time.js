// The free time under the pointer: a dashed box with its start, and the link leads to it.
import { find, linkAround } from "../dom.js";
import { clockIn, columnOf, dateIn, gridMinutes, minutesAt } from "./grid.js";
import { placeClasses } from "./times.js";

const SHORTEST = 15;

/**
 * @param {HTMLAnchorElement} link
 * @param {number} y
 */
function pickUp(link, y) {
  const column = columnOf(link);
  const grid = gridMinutes();
  const minutes = Math.max(0, Math.floor(minutesAt(column, y) / grid) * grid);
  const time = clockIn(column, minutes);
  const address = new URL(link.href);
  address.searchParams.set("date", dateIn(column, minutes));
  address.searchParams.set("time", time);
  link.href = address.href;
  const box = find(".pickup.under") ?? document.createElement("span");
  box.setAttribute("aria-hidden", "true");
  box.className = ["slot pickup under", ...placeClasses(minutes, minutes + Math.max(grid, SHORTEST))].join(" ");
  box.textContent = time;
  column.append(box);
}

/** @param {PointerEvent} event */
export function showFreeTime(event) {
  const link = event.pointerType === "touch" ? null : linkAround(event, "#cal .calendar-column > .free");
  if (link) pickUp(link, event.clientY);
  else find(".pickup.under")?.remove();
}

/** @param {PointerEvent} event */
export function pressFreeTime(event) {
  const link = linkAround(event, "#cal .calendar-column > .free");
  if (link) pickUp(link, event.clientY);
}
