// Hours: opens a day in the row of its bars, adds, removes and copies intervals, and draws the bars again when a time was
// entered. The server reads the times. Without it the page with all fields does the same.
import { find, findAll, findInput, findInputs, get } from "./dom.js";
import { addIcons, parsePage } from "./pages.js";

const NO_TIMES = ["", ""];
let latest = 0;

/** @param {ParentNode} group */
const rowsOf = (group) => findAll(".intervals > .row", group);

/** @param {ParentNode} row */
const timesOf = (row) => findInputs(".interval input", row);

/** @param {ParentNode | undefined} row */
const selectFirst = (row) => row && timesOf(row)[0]?.select();

/** @param {HTMLElement} group */
const formOf = (group) => /** @type {HTMLFormElement} */ (group.closest("form"));

/** @param {HTMLElement} group */
function changed(group) {
  timesOf(group)[0]?.dispatchEvent(new Event("input", { bubbles: true }));
  draw(formOf(group));
}

/**
 * @param {HTMLElement} row
 * @param {string[]} values
 */
function set(row, values) {
  row.hidden = false;
  for (const [index, input] of timesOf(row).entries()) input.value = values[index] ?? "";
}

/**
 * @param {HTMLElement} group
 * @param {string[]} values
 */
function add(group, values) {
  const last = /** @type {HTMLElement} */ (rowsOf(group).at(-1));
  const row = /** @type {HTMLElement} */ (last.cloneNode(true));
  for (const input of timesOf(row)) {
    input.removeAttribute("value");
    input.removeAttribute("aria-invalid");
  }
  get(".tagged", row).hidden = true;
  set(row, values);
  last.after(row);
  return row;
}

/**
 * An interval without times is not saved. The last one stays, to be filled in again.
 * @param {HTMLElement} row
 */
function remove(row) {
  const group = /** @type {HTMLElement} */ (row.closest("[data-day]"));
  set(row, NO_TIMES);
  const others = rowsOf(group).filter((other) => other !== row && !other.hidden);
  row.hidden = others.length > 0;
  selectFirst(others.at(-1) ?? row);
  changed(group);
}

/**
 * Copies the times of a day to all others.
 * @param {HTMLElement} group
 */
function spread(group) {
  const times = rowsOf(group).map((row) => timesOf(row).map((input) => input.value));
  const filled = times.filter(([opens, closes]) => opens || closes);
  for (const other of findAll("[data-day]", /** @type {Element} */ (group.closest("[data-week]")))) {
    if (other === group) continue;
    for (const [index, row] of rowsOf(other).entries()) {
      set(row, filled[index] ?? NO_TIMES);
      row.hidden = index > 0 && !filled[index];
    }
    for (const values of filled.slice(rowsOf(other).length)) add(other, values);
  }
  changed(group);
}

/**
 * @param {HTMLElement} day
 * @param {boolean} isOpen
 */
function open(day, isOpen) {
  day.classList.toggle("open", isOpen);
  get("[data-edit]", day).setAttribute("aria-expanded", `${isOpen}`);
  get("[data-day]", day).hidden = !isOpen;
}

/** @param {HTMLElement | null} day */
function close(day) {
  if (!day) return;
  open(day, false);
  get("[data-edit]", day).focus();
}

/**
 * Shows one day as the server has drawn it; what is typed stays.
 * @param {HTMLElement} day
 * @param {HTMLElement} fresh
 */
function show(day, fresh) {
  for (const part of [".track", ".day-total", ".hours-text"]) {
    const drawn = find(part, fresh);
    if (drawn) get(part, day).replaceWith(drawn);
  }
  const error = find("[data-error]", day);
  if (!error) return;
  error.replaceChildren(...get("[data-error]", fresh).childNodes);
  const sent = rowsOf(fresh);
  for (const row of rowsOf(day)) {
    const drawn = timesOf(row).some((input) => input.value) ? sent.shift() : sent.at(-1);
    if (drawn) showErrors(row, drawn);
  }
}

/**
 * @param {HTMLElement} row
 * @param {HTMLElement} drawn
 */
function showErrors(row, drawn) {
  for (const [index, input] of timesOf(row).entries()) {
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = timesOf(drawn)[index]?.getAttribute(name);
      if (value) input.setAttribute(name, value);
      else input.removeAttribute(name);
    }
  }
  get(".tagged", row).replaceWith(get(".tagged", drawn).cloneNode(true));
}

/** @param {HTMLFormElement} form */
async function draw(form) {
  const days = findAll("[data-week] > li", form);
  if (!days.length) return;
  const sent = ++latest;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.set("act", "draw");
  const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (!answer?.headers.get("content-type")?.startsWith("text/html")) return;
  const page = parsePage(await answer.text());
  const fresh = findAll("[data-week] > li", page);
  if (sent !== latest || fresh.length !== days.length) return;
  addIcons(page);
  for (const [index, day] of days.entries()) show(day, /** @type {HTMLElement} */ (fresh[index]));
  get("[data-hours]").replaceChildren(...get("[data-hours]", page).childNodes);
}

/** @param {HTMLFormElement} form */
function markUnsaved(form) {
  const own = findInput("[type=radio][name=source][value=own]", form); // times that are entered are the person's own
  if (own) own.checked = true;
  const tag = find("[data-own]");
  if (tag) tag.textContent = tag.dataset.own ?? "";
  const bar = find("[data-unsaved-hours]", form);
  if (bar) bar.hidden = false;
}

/** @param {HTMLElement} group */
function prepareDay(group) {
  const rows = rowsOf(group);
  if (rows.length > 1) rows.at(-1)?.remove(); // the empty one, for pages without script
  for (const button of findAll("[data-acts], [data-remove]", group)) button.hidden = false;
  const form = formOf(group);
  group.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    const act = button?.dataset ?? {};
    if ("add" in act) selectFirst(add(group, NO_TIMES));
    else if ("remove" in act) remove(/** @type {HTMLElement} */ (button?.closest(".intervals > .row")));
    else if ("spread" in act) spread(group);
    else if ("done" in act) close(group.parentElement);
  });
  group.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && find("[data-done]", group)) close(group.parentElement);
  });
  group.addEventListener("input", () => markUnsaved(form));
  group.addEventListener("change", (event) => {
    const interval = /** @type {Element} */ (event.target).closest(".interval");
    const times = interval ? findInputs("input", interval).map((input) => input.value) : [];
    if (times.every(Boolean) || !times.some(Boolean)) draw(form); // the second time is still to come
  });
}

/** @param {HTMLElement} link */
function prepareLink(link) {
  const day = /** @type {HTMLElement} */ (link.closest("li"));
  const isOpen = () => day.classList.contains("open");
  link.setAttribute("role", "button");
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open(day, !isOpen());
    if (isOpen()) selectFirst(rowsOf(day)[0]);
  });
  day.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest(".track") && !isOpen()) link.click();
  });
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
}

for (const group of findAll("[data-day]")) prepareDay(group);
for (const link of findAll("[data-week] [data-edit]")) prepareLink(link);
