// Draws what others have changed: blocks of a day one by one, other pages by their parts with data-follow.
import { find, findAgain, findAll } from "../dom.js";
import { parsePage, requestPage } from "../pages.js";
import { elementOf, ring } from "./elements.js";
import { tell } from "./line.js";

const AT_ONCE = 100; // orders in a request
const COUNT_AFTER = 2000;

/**
 * @typedef {import("./changes.js").Change} Change
 * @typedef {Map<string, Change>} Changes
 */

const calendar = document.getElementById("cal");
export const shownDay = calendar?.dataset.date;
export const isDay = Boolean(shownDay) && !calendar?.classList.contains("week-calendar");

/** @param {string} address */
async function page(address) {
  const answer = await requestPage(address);
  if (answer.redirected) document.dispatchEvent(new CustomEvent("frontdesk:ended")); // to the sign-in
  if (!answer.ok || answer.redirected) throw new Error(`${answer.status}`);
  return parsePage(await answer.text());
}

/**
 * @param {string} order
 * @param {ParentNode | null} root
 */
const blocksOf = (order, root) => (root ? findAll(`a.booking[data-order="${order}"]`, root) : []);

/**
 * @param {Changes} changes
 * @returns {Promise<Changes>} what has to wait
 */
export async function drawBlocks(changes) {
  /** @type {Changes} */
  const waiting = new Map();
  const query = new URLSearchParams(location.search);
  query.set("date", shownDay ?? "");
  const orders = [...changes.keys()];
  for (let first = 0; first < orders.length; first += AT_ONCE) {
    query.set("orders", orders.slice(first, first + AT_ONCE).join(","));
    const fresh = await page(`/calendar/blocks?${query}`);
    for (const [order, change] of [...changes].slice(first, first + AT_ONCE)) {
      if (!replaceBlocks(order, fresh, change)) waiting.set(order, change);
    }
  }
  document.dispatchEvent(new CustomEvent("frontdesk:changed", { detail: { orders } }));
  counting ??= setTimeout(count, COUNT_AFTER);
  return waiting;
}

/**
 * A block that is carried or edited stays as it is; it is drawn when that ends.
 * @param {string} order
 * @param {Document} fresh
 * @param {Change} change
 */
function replaceBlocks(order, fresh, change) {
  const old = blocksOf(order, calendar);
  if (old.some((block) => block.matches(".mine, .ghosted"))) return false;
  const made = blocksOf(order, fresh);
  if (old.length === made.length && made.every((block, place) => isAlike(block, old[place]))) return true;
  const isFocused = old.some((block) => block === document.activeElement);
  for (const block of old) block.remove();
  for (const block of made) placeBlock(block, change);
  if (isFocused) blocksOf(order, calendar)[0]?.focus({ preventScroll: true });
  if (!change.own) tell(order, made[0] ?? old[0], change, made.length > 0);
  return true;
}

/**
 * @param {HTMLElement} made
 * @param {HTMLElement | undefined} old
 */
function isAlike(made, old) {
  if (!old) return false;
  const staff = old.dataset.staff ?? /** @type {HTMLElement} */ (old.closest(".calendar-column")).dataset.staff;
  const isSame = ["version", "start", "end"].every((name) => made.dataset[name] === old.dataset[name]);
  return isSame && made.dataset.staff === staff && made.textContent === old.textContent;
}

/**
 * In its column, in the order of time, as the server writes it.
 * @param {HTMLElement} block
 * @param {Change} change
 */
function placeBlock(block, change) {
  const column = calendar && find(`.calendar-column[data-staff="${block.dataset.staff}"]`, calendar);
  if (!column) return;
  const made = document.importNode(block, true);
  if (!change.own) ring(made);
  const { start = "" } = made.dataset;
  const next = findAll("a.booking", column).find((one) => (one.dataset.start ?? "") > start);
  const last = findAll("a.booking, .closed-time, .buffer, .free", column).pop();
  if (next) next.before(made);
  else if (last) last.after(made);
  else column.prepend(made);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let counting;

/** What the whole day says: how much of it is booked, and what is free next. */
async function count() {
  counting = undefined;
  const next = await page(location.href).catch(() => null);
  if (!next || !calendar) return;
  const heads = findAll(":scope > header", calendar);
  const made = findAll("#cal > header", next);
  if (heads.length !== made.length) return;
  for (const [place, head] of heads.entries()) replaceChildren(head, made[place]);
  const free = document.getElementById("free-next");
  if (free) replaceChildren(free, next.getElementById("free-next"));
}

/**
 * Only what is in it: scripts listen to the element itself.
 * @param {HTMLElement} old
 * @param {HTMLElement | null | undefined} made
 */
function replaceChildren(old, made) {
  if (!made) return;
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceChildren(...document.importNode(made, true).childNodes);
  if (active) findAgain(active, old)?.focus({ preventScroll: true });
}

/** @param {HTMLElement} part */
const isTypedIn = (part) =>
  part.contains(document.activeElement) && document.activeElement?.matches("input, select, textarea");

/**
 * Lists: the same address again, and each part with data-follow in place of the old one. What is being edited stays.
 * @param {Changes} changes
 * @returns {Promise<Changes>} what has to wait
 */
export async function drawParts(changes) {
  const parts = findAll("[data-follow][id]");
  if (!parts.length) return new Map();
  if (find("#cal .ghosted") || parts.some(isTypedIn)) return changes;
  const next = await page(location.href);
  const before = new Map([...changes.keys()].map((order) => [order, elementOf(order)?.textContent]));
  for (const part of parts) replaceChildren(part, next.getElementById(part.id));
  for (const [order, change] of changes) {
    const row = elementOf(order);
    if (!row || change.own || row.textContent === before.get(order)) continue;
    ring(row);
    tell(order, row, change, true);
  }
  return new Map();
}
