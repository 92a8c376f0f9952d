// Asks the server whether the carried booking may go where it is: the side shows every rule, and the block whether it may.
import { calendar, clockIn, columns, dateIn, instantIn, minutesOf, zone } from "../calendar/grid.js";
import { dateOf, utcText } from "../calendar/times.js";
import { around, find, findInput, linkAround } from "../dom.js";
import { fetchPage } from "../pages.js";
import { released } from "../released.js";
import { carried, changes, hint, isUnmoved, place, putBack } from "./carried.js";
import { clearSide, notice, showSide } from "./side.js";

const CHECK_AFTER = 200;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let checking;
let asked = 0;

/**
 * What the form of the move would send.
 * @param {import("./carried.js").Carried} moved
 */
export function fieldsOf(moved) {
  const { block, column, start, end, from } = moved;
  const sent = new URLSearchParams((block.dataset.lines?.split(" ") ?? []).map((line) => ["line", line]));
  if (!isUnmoved(moved)) {
    if (column.dataset.date) {
      sent.set("date", dateIn(column, start));
      sent.set("time", clockIn(column, start));
    } else sent.set("start", utcText(instantIn(column, start)));
    sent.set("staff", column.dataset.staff ?? "");
  }
  if (end - start !== from.end - from.start) sent.set("minutes", `${end - start}`);
  const told = notice();
  if (told) sent.set("notify", told);
  return sent;
}

/** What was asked is outdated. */
export function forget() {
  asked += 1;
  clearTimeout(checking);
}

/**
 * The page of the move, unless something else was asked meanwhile.
 * @param {string} address
 */
async function ask(address) {
  forget();
  const mine = asked;
  const page = await fetchPage(address);
  await released(find("#move"));
  return page && mine === asked ? page : null;
}

async function check() {
  if (!carried) return;
  const page = await ask(`/orders/${carried.block.dataset.order}/move?${fieldsOf(carried)}`);
  if (!page || !carried) return;
  showSide(page, hint());
  const reason = find("#move .checks .refused", page);
  carried.copy.classList.toggle("refused", Boolean(reason));
  carried.copy.classList.toggle("accepted", !reason && !isUnmoved(carried));
  const text = find("span", carried.copy);
  if (reason && text) text.textContent = reason.textContent;
}

/**
 * A time that is free, or was chosen at the side.
 * @param {string} address
 */
async function lookAt(address) {
  const page = await ask(address);
  if (!page || !carried) return;
  const focused = document.activeElement?.id;
  showSide(page, hint());
  if (focused) document.getElementById(focused)?.focus();
  const at = findInput("#move input[name=start]", page)?.value;
  carried.copy.classList.toggle("refused", !at);
  const column = at && columnAt(at, findInput("#f-staff", page)?.value);
  const start = column ? minutesOf(column, at) : -1;
  if (!column || start < 0) return;
  const end = start + Number(findInput("#f-minutes", page)?.value);
  place(Object.assign(carried, { column, start, end }));
}

/**
 * @param {string} instant
 * @param {string | undefined} staff
 */
function columnAt(instant, staff) {
  const day = dateOf(Date.parse(instant), zone());
  return columns().find(({ dataset }) => dataset.staff === staff && (!dataset.date || dataset.date === day));
}

/** In the side: the booking stays, or goes to a time that is free or is chosen there. */
export function listenAtSide() {
  const beside = /** @type {HTMLElement} */ (calendar().parentElement);
  beside.addEventListener("click", (event) => {
    const keeps = around(event, "#move [data-keep]");
    const free = linkAround(event, "#move .times a");
    if (!keeps && !(free && carried)) return;
    event.preventDefault();
    if (free) lookAt(free.href);
    else if (carried) putBack();
    else clearSide();
  });
  beside.addEventListener("change", (event) => {
    const form = /** @type {HTMLFormElement | null} */ (around(event, "#move-to"));
    if (!form || !carried) return;
    const sent = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const told = notice();
    if (told) sent.set("notify", told);
    lookAt(`${form.getAttribute("action")}?${sent}`);
  });
}

changes.addEventListener("placed", () => {
  clearTimeout(checking);
  checking = setTimeout(check, CHECK_AFTER);
});
changes.addEventListener("released", forget);
