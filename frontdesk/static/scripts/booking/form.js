// The form of a new booking: what is free is shown while services are chosen.
import { foundIn, moveAmongFound } from "../customer-search.js";
import { around, fieldOf, find, findAgain, findAll, findInput, findInputs, get, submitterOf } from "../dom.js";
import { addIcons, parsePage } from "../pages.js";
import { released } from "../released.js";
import { drawBooking } from "./drawing.js";

const AFTER_TYPING = 200;
const AFTER_NEWS = 300;

let latest = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending;
/** @type {string | null} */
let unanswered = null; // the act of the last button, until its answer is here: a change that is sent meanwhile carries it
/** @type {HTMLButtonElement | null} */
let next = null; // pressed meanwhile

const BOOKING_ACTS = ["book", "anyway"];
const isBooking = () => BOOKING_ACTS.includes(unanswered ?? "");

export const findHolder = () => document.getElementById("new-booking");
export const findForm = () => /** @type {HTMLFormElement | null} */ (document.getElementById("booking-form"));

/** @typedef {{ id: string, value: string, caret: number | null }} Focus */

/**
 * @param {Element | null} active
 * @returns {Focus | null}
 */
function focusOf(active) {
  if (!active?.id || !("value" in active)) return null;
  const field = /** @type {HTMLInputElement} */ (active);
  return field.type === "hidden" ? null : { id: field.id, value: field.value, caret: field.selectionStart };
}

/**
 * What has the focus keeps it, with what was typed meanwhile. After a button was pressed, its answer says what is next.
 * @param {HTMLElement} holder
 * @param {Element} active
 * @param {Focus | null} focus
 * @param {string | undefined} act
 */
function restoreFocus(holder, active, focus, act) {
  const field = focus && findInput(`#${CSS.escape(focus.id)}`);
  if (!field) {
    const same = active.getAttribute("value") === act ? null : findAgain(active, holder);
    const next = find("[aria-invalid=true]", holder) ?? find("#f-find, #f-first_name, #f-add_service", holder);
    (same ?? next)?.focus({ preventScroll: Boolean(same) });
    return;
  }
  if (field.tagName === "INPUT" || field.tagName === "TEXTAREA") field.value = focus.value;
  field.focus({ preventScroll: true });
  if (typeof focus.caret === "number") field.setSelectionRange(focus.caret, focus.caret);
}

/** What was typed into the form, by the ids of its fields. */
function textsOfForm() {
  const typed = "textarea[id], input[id]:not([type=hidden], [type=radio], [type=checkbox])";
  return new Map(findInputs(`#new-booking :is(${typed})`).map((field) => [field.id, field.value]));
}

/**
 * A dialog is no page of its own: its heading is one of the calendar's.
 * @param {Element | null} heading
 */
function lowerHeading(heading) {
  if (!heading) return;
  const smaller = document.createElement("h2");
  smaller.id = heading.id;
  smaller.append(...heading.childNodes);
  heading.replaceWith(smaller);
}

/**
 * Puts the form of a page in place of the old one.
 * @param {Document} page
 * @param {string} [act] that it answers
 */
export function swapForm(page, act) {
  const fresh = page.getElementById("new-booking");
  const holder = findHolder();
  if (!fresh || !holder) return false;
  const active = holder.contains(document.activeElement) ? document.activeElement : null;
  const opened = findAll("details[open] > summary", holder).map((summary) => summary.textContent);
  const scrolled = findForm()?.scrollTop ?? 0;
  const focus = focusOf(active);
  addIcons(page);
  if (holder.tagName === "DIALOG") lowerHeading(fresh.querySelector("h1"));
  holder.replaceChildren(...fresh.childNodes);
  for (const summary of findAll("details > summary", holder)) {
    const details = /** @type {HTMLDetailsElement} */ (summary.parentElement);
    if (opened.includes(summary.textContent)) details.open = true;
  }
  get("#booking-form").scrollTop = scrolled;
  if (active) restoreFocus(holder, active, focus, act);
  prepareForm();
  return true;
}

export function prepareForm() {
  const holder = findHolder();
  if (!holder) return;
  for (const element of findAll("[data-noscript]", holder)) element.hidden = true;
  drawBooking(findForm());
}

/** Whatever is on its way is outdated. */
export function forgetAnswers() {
  clearTimeout(pending);
  pending = undefined;
  latest += 1;
  unanswered = null;
  next = null;
}

/** @param {number} delay */
function sendLater(delay) {
  clearTimeout(pending);
  pending = setTimeout(send, delay);
}

/** @param {HTMLButtonElement} button */
function press(button) {
  if (!unanswered) send(button);
  else if (!isBooking() && unanswered !== button.value) next = button;
}

/**
 * Sends the form as the button would, and shows the answer.
 * @param {HTMLButtonElement | null} [button]
 */
async function send(button) {
  const form = findForm();
  const act = button?.value ?? unanswered ?? "show";
  const after = next;
  forgetAnswers();
  if (!form) return;
  const mine = latest;
  unanswered = act === "show" ? null : act;
  next = after;
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  fields.set("act", act);
  const sent = textsOfForm();
  if (isBooking()) button?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, headers: { accept: "text/html" } });
    if (BOOKING_ACTS.includes(act) && answer.redirected) {
      location.assign(answer.url);
      return;
    }
    const page = parsePage(await answer.text());
    await released(findHolder());
    if (mine !== latest) return;
    const typed = [...textsOfForm()].filter(([id, text]) => text !== sent.get(id)); // meanwhile
    if (!swapForm(page, act)) return location.assign(answer.url);
    for (const [id, text] of typed) {
      const field = findInput(`#${CSS.escape(id)}`);
      if (field) field.value = text;
    }
  } finally {
    button?.removeAttribute("aria-busy");
    if (mine === latest) {
      const pressed = next;
      unanswered = null;
      next = null;
      if (pressed) send(pressed); // what is typed meanwhile is sent after its pause
    }
  }
}

/**
 * Arrow keys go through the customers that were found, Enter takes the first, unless they were found for other words.
 * @param {KeyboardEvent} event
 */
function chooseFound(event) {
  const holder = findHolder();
  if (!holder || !around(event, "#new-booking .combo")) return;
  const field = fieldOf(event);
  if (event.key === "Enter" && field.id === "f-find") {
    if (field.value.trim() !== field.defaultValue.trim()) send();
    else foundIn(holder)[0]?.click();
  } else if (!moveAmongFound(event)) return;
  event.preventDefault();
}

export function listenToForm() {
  document.addEventListener("submit", (event) => {
    const button = submitterOf(event);
    if (event.target !== findForm() || !button || button.formAction.includes("/series")) return;
    event.preventDefault();
    press(button);
  });
  document.addEventListener("input", (event) => {
    if (fieldOf(event).matches("#new-booking input[data-live]:not([type=date])") && !isBooking())
      sendLater(AFTER_TYPING);
  });
  document.addEventListener("change", (event) => {
    if (fieldOf(event).matches("#new-booking select[data-live], #new-booking [type=date][data-live]") && !isBooking())
      send();
  });
  document.addEventListener("keydown", chooseFound);
  // Another user has booked or moved something: what is free is shown again, and what was typed stays.
  document.addEventListener("frontdesk:changed", () => {
    if (findHolder() && !isBooking()) sendLater(AFTER_NEWS);
  });
}
