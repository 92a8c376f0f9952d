// The calendar: keys, the line of now, the free time under the pointer, and the selected booking at the side.
// Every act works without it. Other scripts of the page read data-staff of a block, which is that of its column.
"use strict";

const calendar = document.getElementById("cal");
const DAY_MINUTES = 1440;

function nameStaff(root) {
  for (const block of root.querySelectorAll(".bk:not([data-staff])")) {
    block.dataset.staff = block.closest(".col").dataset.staff;
  }
}

// Elapsed minutes since midnight, from a height in a column, and the time on the clock then.
function minuteAt(column, y) {
  const box = column.getBoundingClientRect();
  const style = getComputedStyle(calendar);
  const first = Number(style.getPropertyValue("--o")) * 60;
  const hours = Number(style.getPropertyValue("--hrs"));
  return first + ((y - box.top) / box.height) * hours * 60;
}

function clockAt(minute) {
  const at = new Date(Date.parse(midnightOf()) + minute * 60000);
  const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: calendar.dataset.zone };
  return new Intl.DateTimeFormat("en-GB", parts).format(at);
}

function midnightOf() {
  return calendar.dataset.midnight;
}

function placeClasses(start, end) {
  const part = (hour, minute, at) => (at % 60 ? [`${hour}${Math.floor(at / 60)}`, `${minute}${at % 60}`] : [`${hour}${at / 60}`]);
  return [...part("h", "m", start), ...part("e", "f", end)];
}

// The free time under the pointer: a dashed box with its start, and the link leads to it.
function pickUp(link, y) {
  const column = link.closest(".col");
  const grid = Number(calendar.dataset.grid);
  const minute = Math.max(0, Math.floor(minuteAt(column, y) / grid) * grid);
  const time = clockAt(minute);
  const address = new URL(link.href);
  address.searchParams.set("time", time);
  link.href = address;
  let box = calendar.querySelector(".pickup.under");
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
  calendar.querySelector(".pickup.under")?.remove();
}

// Arrow keys move between blocks: up and down in time, left and right to the nearest block of the next column.
function neighbour(block, key) {
  const columns = [...calendar.querySelectorAll(".col[data-staff]")];
  if (!block) return calendar.querySelector(".bk");
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
  if (!block && event.target !== calendar) return;
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
  const minute = (Date.parse(block.dataset.end) - Date.parse(midnightOf())) / 60000;
  address.searchParams.set("date", column.dataset.date || calendar.dataset.date);
  address.searchParams.set("time", clockAt(minute));
  address.searchParams.set("staff", column.dataset.staff);
  link.href = address;
}

// The selected booking is swapped in, so that the calendar stays where it was scrolled to.
async function select(address, push = true) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return location.assign(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const side = page.getElementById("side");
  const sprite = page.querySelector("svg.sprite");
  if (!side) return location.assign(address);
  document.getElementById("side").replaceWith(side);
  document.querySelector("svg.sprite").replaceWith(sprite);
  const order = new URL(address, location).searchParams.get("order");
  document.querySelector(".two").classList.toggle("picked", Boolean(order));
  for (const block of calendar.querySelectorAll(".bk")) {
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

// The line of now moves once a minute, and the page is that of the new day after midnight.
function moveNow() {
  const minute = Math.floor((Date.now() - Date.parse(midnightOf())) / 60000);
  for (const line of calendar.querySelectorAll(".now")) {
    const classes = placeClasses(Math.floor(minute / 5) * 5, Math.floor(minute / 5) * 5 + 5);
    line.className = ["slot", "now", ...classes].join(" ");
    if (line.firstElementChild) line.firstElementChild.textContent = clockAt(minute);
  }
}

for (const field of document.querySelectorAll("[data-submits]")) {
  field.addEventListener("change", () => field.value !== "" || field.name === "staff" ? field.form.requestSubmit() : null);
}

if (calendar) {
  nameStaff(calendar);
  new MutationObserver(() => nameStaff(calendar)).observe(calendar, { childList: true, subtree: true });
  calendar.addEventListener("pointermove", (event) => {
    const link = event.target.closest(".col > .free");
    if (link && event.pointerType !== "touch") pickUp(link, event.clientY);
    else putDown();
  });
  calendar.addEventListener("pointerdown", (event) => {
    const link = event.target.closest(".col > .free");
    if (link) pickUp(link, event.clientY);
  });
  calendar.addEventListener("pointerleave", putDown);
  calendar.addEventListener("keydown", useArrow);
  calendar.addEventListener("focusin", (event) => {
    const block = event.target.closest(".bk");
    if (block) aimNew(block);
  });
  calendar.addEventListener("click", openBlock);
  document.addEventListener("frontdesk:changed", (event) => {
    const side = document.getElementById("side"), order = new URLSearchParams(location.search).get("order");
    const isEdited = side?.matches(":has(dialog[open], #move, input:focus, select:focus, textarea:focus)");
    if (side && event.detail.orders.includes(order) && !isEdited) select(location.href, false);
  });
  addEventListener("popstate", () => select(location.href, false));
  setInterval(moveNow, 60000);
}
