// The booking that is being written, drawn in the calendar where it will be.
import {
  calendar,
  columns,
  findCalendar,
  firstMinute,
  gridMinutes,
  midnightOf,
  shownMinutes,
} from "../calendar/grid.js";
import { MINUTE, placeClasses } from "../calendar/times.js";
import { fieldOfForm, find, findAll } from "../dom.js";

const SHORTEST = 30;

/** @typedef {{ staff?: string, start?: string, end?: string, name?: string, service?: string, time?: string }} Drawn */

/**
 * The column of a provider's time, if the calendar shows it.
 * @param {string | undefined} staff
 * @param {string} start
 */
export function columnAt(staff, start) {
  const from = firstMinute();
  return columns().find((column) => {
    const minutes = (Date.parse(start) - midnightOf(column)) / MINUTE;
    return column.dataset.staff === staff && minutes >= from && minutes < from + shownMinutes();
  });
}

/**
 * @param {HTMLElement} column
 * @param {string} start
 * @param {string} end
 */
export function slotClasses(column, start, end) {
  const [from = 0, to = 0] = [start, end].map((instant) => (Date.parse(instant) - midnightOf(column)) / MINUTE);
  return ["slot", ...placeClasses(from, to)].join(" ");
}

/**
 * As the blocks of the calendar: a short one has its start beside the name, a long one has its times below.
 * @param {Drawn} drawn
 */
function drawBlock({ staff, start = "", end, name = "", service = "", time = "" }) {
  const column = columnAt(staff, start);
  if (!column || !end) return;
  const block = document.createElement("div");
  block.className = `${slotClasses(column, start, end)} booking mine new`;
  block.setAttribute("aria-hidden", "true");
  Object.assign(block.dataset, { staff, order: "" });
  const minutes = (Date.parse(end) - Date.parse(start)) / MINUTE;
  const write = (/** @type {string} */ tag, /** @type {string} */ text) =>
    block.append(Object.assign(document.createElement(tag), { textContent: text }));
  write("b", name);
  if (minutes < 90) write("time", time.split("–")[0] ?? "");
  if (minutes >= 45 && service) write("span", service);
  if (minutes >= 90) write("time", time);
  column.append(block);
}

/** @param {HTMLFormElement | null} form */
export function drawBooking(form) {
  if (!findCalendar()) return;
  for (const old of findAll(".booking.mine.new", calendar())) old.remove();
  if (!form) return;
  const { word: name, start } = form.dataset;
  const lines = findAll(".service-line[data-start]", form);
  for (const line of lines) {
    const time = find("time", line)?.textContent ?? "";
    drawBlock({ ...line.dataset, name, service: line.getAttribute("aria-label") ?? "", time });
  }
  const staff = fieldOfForm(form, "staff")?.value;
  if (lines.length || !start || !staff) return;
  const end = new Date(Date.parse(start) + Math.max(gridMinutes(), SHORTEST) * MINUTE).toISOString();
  drawBlock({ staff, start, end, name, time: fieldOfForm(form, "time").value });
}
