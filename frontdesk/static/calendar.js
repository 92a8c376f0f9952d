// The calendar: keys, the line of now, the free time under the pointer, and the selected booking at the side.
// Every act works without it. Other scripts of the page read data-order and data-staff of a block, which this one sets.
"use strict";

const cal = () => document.getElementById("cal"); // live updates may replace it
const DAY_MINUTES = 1440;

function complete() {
  for (const block of document.querySelectorAll("#cal .col > .bk:not([data-order])")) {
    block.dataset.order = new URL(block.href).searchParams.get("order");
  }
  for (const block of document.querySelectorAll("#cal .col > .bk:not([data-staff])")) {
    block.dataset.staff = block.parentElement.dataset.staff;
  }
}

// The minutes since midnight at a height in a column.
function minuteAt(column, y) {
  const box = column.getBoundingClientRect();
  const style = getComputedStyle(cal());
  const first = Number(style.getPropertyValue("--o")) * 60;
  const hours = Number(style.getPropertyValue("--hrs"));
  return first + ((y - box.top) / box.height) * hours * 60;
}

function clockOf(instant) {
  const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: cal().dataset.zone };
  return new Intl.DateTimeFormat("en-GB", parts).format(instant);
}

// The columns of a week are drawn by the time of day, that of a day by the minutes that pass.
function clockAt(column, minute) {
  if (!column.dataset.date) return clockOf(Date.parse(cal().dataset.midnight) + minute * 60000);
  const pad = (number) => String(number).padStart(2, "0");
  return `${pad(Math.floor(minute / 60) % 24)}:${pad(minute % 60)}`;
}

// A night belongs to the day on which it began: what is after midnight has the date of the next day.
function dateAt(column, minute) {
  if (column.dataset.date) return new Date(Date.parse(column.dataset.date) + Math.floor(minute / DAY_MINUTES) * 86400000).toISOString().slice(0, 10);
  return dateOf(Date.parse(cal().dataset.midnight) + minute * 60000);
}

function dateOf(instant) {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: cal().dataset.zone }).format(instant);
}

function placeClasses(start, end) {
  const part = (hour, minute, at) => (at % 60 ? [`${hour}${Math.floor(at / 60)}`, `${minute}${at % 60}`] : [`${hour}${at / 60}`]);
  return [...part("h", "m", start), ...part("e", "f", end)];
}

// The free time under the pointer: a dashed box with its start, and the link leads to it.
function pickUp(link, y) {
  const column = link.closest(".col");
  const grid = Number(cal().dataset.grid);
  const minute = Math.max(0, Math.floor(minuteAt(column, y) / grid) * grid);
  const time = clockAt(column, minute);
  const address = new URL(link.href);
  address.searchParams.set("date", dateAt(column, minute));
  address.searchParams.set("time", time);
  link.href = address;
  let box = document.querySelector(".pickup.under");
  if (!box) {
    box = document.createElement("span");
    box.setAttribute("aria-hidden", "true");
  }
  const step = Math.max(grid, 15);
  box.className = ["slot", "pickup", "under", ...placeClasses(Math.floor(minute / 5) * 5, Math.ceil((minute + step) / 5) * 5)].join(" ");
  box.textContent = time;
  column.append(box);
}

function putDown() {
  document.querySelector(".pickup.under")?.remove();
}

// Arrow keys move between blocks: up and down in time, left and right to the nearest block of the next column.
function neighbour(block, key) {
  const columns = [...cal().querySelectorAll(".col[data-staff]")];
  if (!block) return cal().querySelector(".bk");
  const column = block.closest(".col");
  const blocks = [...column.querySelectorAll(".bk")];
  if (key === "ArrowDown") return blocks[blocks.indexOf(block) + 1];
  if (key === "ArrowUp") return blocks[blocks.indexOf(block) - 1];
  const forward = (key === "ArrowRight") === (document.documentElement.dir !== "rtl");
  const step = forward ? 1 : -1;
  const start = Date.parse(block.dataset.start) % (DAY_MINUTES * 60000);
  for (let at = columns.indexOf(column) + step; columns[at]; at += step) {
    const found = [...columns[at].querySelectorAll(".bk")];
    const distance = (one) => Math.abs((Date.parse(one.dataset.start) % (DAY_MINUTES * 60000)) - start);
    if (found.length) return found.sort((a, b) => distance(a) - distance(b))[0];
  }
  return null;
}

function useArrow(event) {
  if (event.defaultPrevented || !event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const block = event.target.closest(".bk");
  if (!block && event.target !== cal()) return;
  if (!block && !["ArrowDown", "ArrowUp"].includes(event.key)) return; // the calendar scrolls
  const next = neighbour(block, event.key);
  event.preventDefault();
  next?.focus();
}

// "N" books at the focused time: after the focused block.
function aimNew(block) {
  const link = document.querySelector(".head [data-key=n]");
  if (!link) return;
  const address = new URL(link.href);
  const column = block.closest(".col");
  address.searchParams.set("date", dateOf(Date.parse(block.dataset.end)));
  address.searchParams.set("time", clockOf(Date.parse(block.dataset.end)));
  address.searchParams.set("staff", column.dataset.staff);
  link.href = address;
}

// What is typed or carried at the side is not replaced, also if it began while the new side was fetched.
const isEdited = () =>
  Boolean(document.querySelector("#cal .ghosted, #side:has(dialog[open], #move, input:focus, select:focus, textarea:focus)"));

// The selected booking is swapped in, so that the calendar stays where it was scrolled to.
async function select(address, push = true, isWanted = () => true) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return location.assign(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const side = page.getElementById("side");
  const sprite = page.querySelector("svg.sprite");
  if (!side) return location.assign(address);
  if (!isWanted()) return null;
  document.getElementById("side").replaceWith(side);
  document.querySelector("svg.sprite").replaceWith(sprite);
  const order = new URL(address, location).searchParams.get("order");
  document.querySelector(".two").classList.toggle("picked", Boolean(order));
  for (const block of cal().querySelectorAll(".bk")) {
    if (block.dataset.order === order) block.setAttribute("aria-current", "true");
    else block.removeAttribute("aria-current");
  }
  if (push) history.pushState(null, "", address);
  return side;
}

function openBlock(event) {
  const block = event.target.closest("a.bk");
  if (!block || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  select(block.href);
}

// The line of now moves once a minute.
function moveNow() {
  const lines = document.querySelectorAll("#cal .now");
  const column = document.querySelector("#cal .col:has(> i.now)");
  if (!column) return;
  const minute = Math.floor((Date.now() - Date.parse(column.dataset.midnight ?? cal().dataset.midnight)) / 60000);
  const at = Math.floor(minute / 5) * 5;
  for (const line of lines) {
    line.className = ["slot", "now", ...placeClasses(at, at + 5)].join(" ");
    if (line.firstElementChild) line.firstElementChild.textContent = clockOf(Date.now());
  }
}

// The calendar opens at the selected booking, else at the present hour. A page that is shown again stays where it was.
function scrollToNow() {
  const block = cal().querySelector(".bk[aria-current]");
  const [visit] = performance.getEntriesByType("navigation");
  if (block) block.scrollIntoView({ block: "nearest", inline: "nearest" }); // of many providers
  const line = !block && visit?.type === "navigate" && cal().querySelector("i.now");
  const at = line && line.getBoundingClientRect();
  if (line) line.scrollIntoView({ block: at.bottom > innerHeight ? "center" : "nearest", inline: "nearest" });
}

// A day that is typed is complete when nothing follows: each digit of it is a change, and the year begins as 0002.
for (const field of document.querySelectorAll("[data-submits]")) {
  let typed;
  field.addEventListener("change", () => {
    clearTimeout(typed);
    if (field.type !== "date") return field.form.requestSubmit();
    if (field.value >= "1970" && field.value < "2200") typed = setTimeout(() => field.form.requestSubmit(), 700);
  });
}

const inCalendar = (act) => (event) => {
  if (event.target.closest?.("#cal")) act(event);
};
const freeUnder = (event) => event.target.closest("#cal .col > .free");

if (cal()) {
  complete();
  scrollToNow();
  new MutationObserver(complete).observe(document.querySelector("main"), { childList: true, subtree: true });
  document.addEventListener("pointermove", (event) => {
    const link = event.pointerType === "touch" ? null : freeUnder(event);
    if (link) pickUp(link, event.clientY);
    else putDown();
  });
  document.addEventListener("pointerdown", (event) => {
    const link = freeUnder(event);
    if (link) pickUp(link, event.clientY);
  });
  document.addEventListener("keydown", inCalendar(useArrow));
  document.addEventListener("focusin", inCalendar((event) => {
    const block = event.target.closest(".bk");
    if (block) aimNew(block);
  }));
  document.addEventListener("click", inCalendar(openBlock));
  document.addEventListener("frontdesk:changed", (event) => {
    const side = document.getElementById("side"), order = new URLSearchParams(location.search).get("order");
    if (side && event.detail.orders.includes(order) && !isEdited()) select(location.href, false, () => !isEdited());
  });
  addEventListener("popstate", () => select(location.href, false));
  setInterval(moveNow, 60000);
}
