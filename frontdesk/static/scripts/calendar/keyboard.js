// Keys of the calendar: arrows move between blocks, up and down in time, left and right to the nearest block of the next
// column; the first one goes to the selected block, or to the next of now. "N" books after the focused block, "B" blocks
// the time after it, and "S" goes to the side.
import { around, find, findAll, hasModifier } from "../dom.js";
import { calendar, columnOf, columns, zone } from "./grid.js";
import { clockOf, DAY_MINUTES, dateOf, indexFrom, MINUTE } from "./times.js";

/** @param {HTMLElement} block */
const timeOfDay = (block) => Date.parse(block.dataset.start ?? "") % (DAY_MINUTES * MINUTE);

function firstBlock() {
  const blocks = findAll(".booking", calendar());
  const ends = blocks.map((block) => Date.parse(block.dataset.end ?? ""));
  return find(".booking[aria-current]", calendar()) ?? blocks[indexFrom(ends, Date.now())];
}

/**
 * @param {HTMLElement | null} block
 * @param {string} key
 */
function neighbour(block, key) {
  if (!block) return firstBlock();
  const column = columnOf(block);
  const blocks = findAll(".booking", column);
  if (key === "ArrowDown") return blocks[blocks.indexOf(block) + 1];
  if (key === "ArrowUp") return blocks[blocks.indexOf(block) - 1];
  const all = columns();
  const step = (key === "ArrowRight") === (document.documentElement.dir !== "rtl") ? 1 : -1;
  const distance = (/** @type {HTMLElement} */ one) => Math.abs(timeOfDay(one) - timeOfDay(block));
  for (let at = all.indexOf(column) + step, next = all[at]; next; at += step, next = all[at]) {
    const [nearest] = findAll(".booking", next).sort((a, b) => distance(a) - distance(b));
    if (nearest) return nearest;
  }
  return null;
}

/** @param {KeyboardEvent} event */
export function useArrow(event) {
  if (event.defaultPrevented || !event.key.startsWith("Arrow") || hasModifier(event) || event.shiftKey) return;
  const block = around(event, "#cal .booking");
  const isIdle = event.target === document.body || event.target === calendar(); // nothing else has the focus
  if (!block && (!isIdle || find("dialog[open]"))) return;
  const next = neighbour(block, event.key);
  if (block || next) event.preventDefault();
  next?.focus();
}

/** @param {KeyboardEvent} event */
export function blockTime(event) {
  if (event.key.toLowerCase() !== "b" || hasModifier(event) || find("dialog[open]")) return;
  if (around(event, "input, select, textarea, [contenteditable]")) return;
  const block = around(event, "#cal .booking");
  const column = block ? columnOf(block) : columns().find((one) => find(".free", one));
  if (!column || !find(".free", column)) return;
  event.preventDefault();
  const end = Date.parse(block?.dataset.end ?? "");
  const date = block ? dateOf(end, zone()) : (column.dataset.date ?? calendar().dataset.date ?? "");
  const fields = { date, start: block ? clockOf(end, zone()) : "" };
  location.assign(`/staff/${column.dataset.staff}/block?${new URLSearchParams(fields)}`);
}

/**
 * To what is usually done next with the selected booking.
 * @param {KeyboardEvent} event
 */
export function goToSide(event) {
  if (event.key.toLowerCase() !== "s" || hasModifier(event) || find("dialog[open]")) return;
  if (around(event, "input, select, textarea, [contenteditable]")) return;
  const next = find("#side .button-primary") ?? find("#side .button");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** @param {FocusEvent} event */
export function aimNew(event) {
  const block = around(event, ".booking");
  const link = /** @type {HTMLAnchorElement | null} */ (find(".head [data-key=n]"));
  if (!block || !link) return;
  const end = Date.parse(block.dataset.end ?? "");
  const address = new URL(link.href);
  address.searchParams.set("date", dateOf(end, zone()));
  address.searchParams.set("time", clockOf(end, zone()));
  address.searchParams.set("staff", columnOf(block).dataset.staff ?? "");
  link.href = address.href;
}
