// Hours: opens a day in the row of its bars, adds, removes and copies intervals, and draws the bars again when a time was
// entered. The server reads the times. Without it the page with all fields does the same.
"use strict";

let latest = 0;

function rowsOf(group) {
  return [...group.querySelectorAll(".ivs > .row")];
}

function timesOf(row) {
  return [...row.querySelectorAll(".iv input")];
}

function changed(group) {
  timesOf(rowsOf(group)[0])[0].dispatchEvent(new Event("input", { bubbles: true }));
  draw(group.closest("form"));
}

function set(row, values) {
  row.hidden = false;
  timesOf(row).forEach((input, index) => (input.value = values[index]));
}

function add(group, values) {
  const last = rowsOf(group).at(-1);
  const row = last.cloneNode(true);
  for (const input of timesOf(row)) {
    input.removeAttribute("value");
    input.removeAttribute("aria-invalid");
  }
  row.querySelector(".tagged").hidden = true;
  set(row, values);
  last.after(row);
  return row;
}

// An interval without times is not saved. The last one stays, to be filled in again.
function remove(row) {
  const group = row.closest("[data-day]");
  set(row, ["", ""]);
  const others = rowsOf(group).filter((other) => other !== row && !other.hidden);
  row.hidden = others.length > 0;
  timesOf(others.at(-1) ?? row)[0].select();
  changed(group);
}

function spread(group) {
  const times = rowsOf(group).map((row) => timesOf(row).map((input) => input.value));
  const filled = times.filter(([opens, closes]) => opens || closes);
  for (const other of group.closest("[data-week]").querySelectorAll("[data-day]")) {
    if (other === group) continue;
    rowsOf(other).forEach((row, index) => {
      set(row, filled[index] ?? ["", ""]);
      row.hidden = index > 0 && !filled[index];
    });
    for (const values of filled.slice(rowsOf(other).length)) add(other, values);
  }
  changed(group);
}

function open(day, isOpen) {
  const group = day.querySelector("[data-day]");
  day.classList.toggle("open", isOpen);
  day.querySelector("[data-edit]").setAttribute("aria-expanded", isOpen);
  group.hidden = !isOpen;
}

function close(day) {
  open(day, false);
  day.querySelector("[data-edit]").focus();
}

// Shows one day as the server has drawn it; what is typed stays.
function show(day, fresh) {
  for (const part of [".track", ".tot", ".txt"]) {
    const drawn = fresh.querySelector(part);
    if (drawn) day.querySelector(part).replaceWith(drawn);
  }
  const error = day.querySelector("[data-error]");
  if (!error) return;
  error.replaceChildren(...fresh.querySelector("[data-error]").childNodes);
  const sent = rowsOf(fresh);
  for (const row of rowsOf(day)) {
    const drawn = timesOf(row).some((input) => input.value) ? sent.shift() : sent.at(-1);
    timesOf(row).forEach((input, index) => {
      for (const name of ["aria-invalid", "aria-describedby"]) {
        const value = timesOf(drawn)[index].getAttribute(name);
        value ? input.setAttribute(name, value) : input.removeAttribute(name);
      }
    });
    const ends = drawn.querySelector(".tagged");
    row.querySelector(".tagged").replaceWith(ends.cloneNode(true));
  }
}

async function draw(form) {
  const days = form.querySelectorAll("[data-week] > li");
  if (!days.length) return;
  const sent = ++latest;
  const body = new URLSearchParams(new FormData(form));
  body.set("act", "draw");
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (!answer?.headers.get("content-type")?.startsWith("text/html")) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelectorAll("[data-week] > li");
  if (sent !== latest || fresh.length !== days.length) return;
  const icons = document.querySelector("svg.sprite");
  for (const symbol of page.querySelectorAll("svg.sprite > symbol")) {
    if (!document.getElementById(symbol.id)) icons.append(document.importNode(symbol, true));
  }
  days.forEach((day, index) => show(day, fresh[index]));
  document.querySelector("[data-hours]").replaceChildren(...page.querySelector("[data-hours]").childNodes);
}

for (const group of document.querySelectorAll("[data-day]")) {
  const rows = rowsOf(group);
  if (rows.length > 1) rows.at(-1).remove(); // the empty one, for pages without script
  for (const button of group.querySelectorAll("[data-acts], [data-remove]")) button.hidden = false;
  const form = group.closest("form");
  group.addEventListener("click", (event) => {
    const act = event.target.closest("button")?.dataset ?? {};
    if ("add" in act) timesOf(add(group, ["", ""]))[0].select();
    else if ("remove" in act) remove(event.target.closest(".ivs > .row"));
    else if ("spread" in act) spread(group);
    else if ("done" in act) close(group.parentElement);
  });
  group.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && group.querySelector("[data-done]")) close(group.parentElement);
  });
  group.addEventListener("input", () => {
    const own = form.querySelector("[type=radio][name=source][value=own]"); // times that are entered are the person's own
    if (own) own.checked = true;
    const tag = document.querySelector("[data-own]");
    if (tag) tag.textContent = tag.dataset.own;
    const bar = form.querySelector("[data-unsaved-hours]");
    if (bar) bar.hidden = false;
  });
  group.addEventListener("change", (event) => {
    const times = timesOf(event.target.closest(".iv")).map((input) => input.value);
    if (times.every(Boolean) || !times.some(Boolean)) draw(form); // the second time is still to come
  });
}

for (const link of document.querySelectorAll("[data-week] [data-edit]")) {
  const day = link.closest("li");
  link.setAttribute("role", "button");
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open(day, !day.classList.contains("open"));
    if (day.classList.contains("open")) timesOf(rowsOf(day)[0])[0].select();
  });
  day.addEventListener("click", (event) => {
    if (event.target.closest(".track") && !day.classList.contains("open")) link.click();
  });
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
}
