// Dragging over free time blocks it: the range is drawn, and the form that blocks it opens with its times. A click books.
import { find, linkAround } from "../dom.js";
import { clockIn, columnOf, dateIn, gridMinutes, minutesAt } from "./grid.js";
import { draggedRange, placeClasses } from "./times.js";

const FAR = 8; // pixels after which a press is a drag

/**
 * @param {HTMLElement} column
 * @param {{ start: number, end: number }} range
 */
function draw(column, { start, end }) {
  const box = find(".pickup.blocking") ?? document.createElement("span");
  box.setAttribute("aria-hidden", "true");
  box.className = ["slot pickup blocking", ...placeClasses(start, end)].join(" ");
  box.textContent = `${clockIn(column, start)}–${clockIn(column, end)}`;
  column.append(box);
}

/**
 * @param {HTMLElement} column
 * @param {{ start: number, end: number }} range
 */
function addressOf(column, { start, end }) {
  const date = dateIn(column, start);
  const isSameDay = dateIn(column, end) === date; // without an end: until midnight
  const fields = { date, start: clockIn(column, start), end: isSameDay ? clockIn(column, end) : "" };
  return `/staff/${column.dataset.staff}/block?${new URLSearchParams(fields)}`;
}

/** @param {PointerEvent} event */
export function beginBlocking(event) {
  const link = linkAround(event, "#cal .calendar-column > .free");
  if (!link || event.button || event.pointerType === "touch") return;
  const column = columnOf(link);
  const from = minutesAt(column, event.clientY);
  /** @type {{ start: number, end: number } | null} */
  let range = null;
  const stop = new AbortController();
  const { signal } = stop;
  const giveUp = () => {
    stop.abort();
    find(".pickup.blocking")?.remove();
  };
  const move = (/** @type {PointerEvent} */ to) => {
    if (!range && Math.abs(to.clientY - event.clientY) < FAR) return;
    range = draggedRange(from, minutesAt(column, to.clientY), gridMinutes());
    draw(column, range);
  };
  const end = () => {
    if (!range) return giveUp();
    stop.abort();
    location.assign(addressOf(column, range));
  };
  const dontBook = (/** @type {MouseEvent} */ click) => {
    if (!range) return;
    click.preventDefault();
    click.stopImmediatePropagation();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", giveUp, { signal });
  addEventListener("keydown", (pressed) => pressed.key === "Escape" && giveUp(), { signal });
  addEventListener("click", dontBook, { capture: true, once: true });
}

/** @param {DragEvent} event */
export function keepLink(event) {
  if (linkAround(event, "#cal .calendar-column > .free")) event.preventDefault();
}
