// What was typed into a form whose session has ended is restored after the sign-in, and what was refused with Back and
// Reload.
import { findInputs } from "../dom.js";
import { kindOfVisit, pathOf } from "./form-path.js";

const KEPT = "frontdesk.typed";
const NOT_KEPT = ["hidden", "password", "file"];
const isAnswer = "posted" in document.documentElement.dataset; // to a form that was refused

/**
 * @typedef {[name: string, value: string, checked: boolean]} TypedValue
 * @typedef {{ page: string, action: string, values: TypedValue[], ended?: boolean, refused?: boolean }} Typed
 */

/** @returns {Typed | null} */
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) || "null");

/** @param {Typed} typed */
const keep = (typed) => sessionStorage.setItem(KEPT, JSON.stringify(typed));

/**
 * @param {HTMLFormElement} form
 * @returns {TypedValue[]}
 */
function typedValues(form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const shown = fields.filter((field) => field.name && !NOT_KEPT.includes(field.type));
  return shown.map((field) => [field.name, field.value, field.checked === true]);
}

/** @param {HTMLFormElement} form */
export function keepTyped(form) {
  if (form.getAttribute("method") !== "post" || location.pathname === "/sign-in") return;
  keep({ page: location.pathname, action: pathOf(form), values: typedValues(form) });
}

/**
 * @param {HTMLFormElement} form
 * @param {TypedValue[]} values
 */
function fill(form, values) {
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [name, value, checked] of values) {
    const place = places.get(name) ?? 0;
    places.set(name, place + 1);
    const field = findInputs(`[name="${CSS.escape(name)}"]`, form)[place];
    if (!field || field.type === "hidden") continue;
    if (["checkbox", "radio"].includes(field.type)) field.checked = checked;
    else field.value = value;
  }
}

function restoreTyped() {
  const typed = kept();
  if (!typed || location.pathname === "/sign-in") return;
  sessionStorage.removeItem(KEPT);
  // What was refused comes back with Back and Reload only: a link to the page opens it as it is stored.
  const isWanted = typed.ended || (typed.refused && kindOfVisit() !== "navigate");
  if (typed.page !== location.pathname || !isWanted || isAnswer) return;
  const form = [...document.forms].find((one) => pathOf(one) === typed.action);
  if (form) fill(form, typed.values);
}

// The answer to a form that was refused takes the place of the form's page in the history: Back and Reload then open
// that page, with what was typed, and do not ask whether to send the form again.
function takePlaceOfForm() {
  const origin = document.referrer ? new URL(document.referrer) : null;
  if (!isAnswer || origin?.origin !== location.origin) return;
  const form = [...document.forms].find((one) => pathOf(one) === location.pathname);
  if (form) keep({ page: origin.pathname, action: location.pathname, values: typedValues(form), refused: true });
  history.replaceState(null, "", origin);
}

if (location.pathname === "/sign-in" && new URLSearchParams(location.search).has("ended")) {
  const typed = kept();
  if (typed) keep({ ...typed, ended: true });
}
restoreTyped();
takePlaceOfForm();
