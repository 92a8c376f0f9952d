// The page of the till, which each answer of the server replaces.
import { find, findAll, findInput, get } from "../dom.js";
import { addIcons, parsePage } from "../pages.js";
import { keepCart } from "./kept-cart.js";

/** A key that is typed in one of them belongs there. */
export const FIELDS = "input:not([type=radio], [type=checkbox]), select, textarea";

/** @typedef {{ id: string, value: string, from: number | null, to: number | null }} Typed */

/** What the focus returns to, and what was sent of the cash given. */
export const last = {
  pressed: "", // the control whose act is on its way: after it the search has the focus
  field: "", // while its amount is calculated
  tile: "", // after an option was chosen
  /** @type {string | null} */
  given: null,
};

let replacing = false;
/** The browser reports a change in a field that is being removed. */
export const isReplacing = () => replacing;

export const findTill = () => /** @type {HTMLFormElement | null} */ (find("#sale"));
export const till = () => /** @type {HTMLFormElement} */ (get("#sale"));
export const isPaying = () => Boolean(find("#pay-title"));
export const firstTile = () => find("[data-tile]", till());

/** @returns {Typed | null} */
export function typedText() {
  const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (!field?.id || !field.matches(FIELDS) || !till().contains(field)) return null;
  return { id: field.id, value: field.value, from: field.selectionStart, to: field.selectionEnd };
}

/**
 * @param {string | undefined} id
 * @param {Typed | null} [typed]
 * @param {string} [sent]
 */
function restoreFocus(id, typed, sent) {
  const field = id ? findInput(`#${CSS.escape(id)}`) : null;
  if (!field) return false;
  field.focus({ preventScroll: true });
  if (typed && typed.value !== sent && field.matches("input:not([type=hidden])")) {
    field.value = typed.value;
    field.setSelectionRange?.(typed.from, typed.to);
  }
  return true;
}

function focusNewCustomer() {
  find("#f-first_name")?.focus();
  return Boolean(find("#f-first_name"));
}

/** A focused field opens the keyboard of a screen that is touched. */
const isTouched = () => matchMedia("(pointer: coarse)").matches;

/** A scanner types where the focus is: at the payment in cash that is what was given. */
function focusSearch() {
  const field = isTouched() ? null : find("#given", till()) || find("#find", till());
  field?.focus({ preventScroll: true });
  return Boolean(field);
}

/** What was opened keeps the focus: its fields follow. */
const focusOpened = () =>
  Boolean(last.pressed && find(`#${CSS.escape(last.pressed)}[aria-expanded=true]`)) && restoreFocus(last.pressed);

/** A focused tile would look like one that is in the cart; the first arrow key begins with the first tile. */
export function focusFirst() {
  if (document.activeElement !== document.body) return;
  const field = find("#pin", till()) || find("#f-first_name, #pay-title", till());
  if (field) field.focus({ preventScroll: true });
  else focusSearch();
}

/**
 * What is typed into goes on; after a button or Enter the search has the focus.
 * @param {string | undefined} id of what had the focus
 * @param {Typed | null} typed
 * @param {string} [sent]
 */
function focusNext(id, typed, sent) {
  if ((id === "find" || id !== last.pressed) && restoreFocus(id, typed, sent)) return;
  if (focusNewCustomer() || focusOpened() || focusSearch()) return;
  if (!restoreFocus(id) && !restoreFocus(last.field) && !restoreFocus(last.tile)) focusFirst();
}

/**
 * Digits go on after those that were pressed before, also while the answer was on its way.
 * @param {string | undefined} text
 */
function keepGiven(text) {
  const field = findInput("#given");
  if (field && text && (text !== last.given || Number(text) === Number(field.value))) field.value = text;
}

export function prepare() {
  for (const button of findAll(".noscript", till())) button.hidden = true;
  for (const keypad of findAll(".keypad", till())) keypad.hidden = false;
  keepCart(findInput("[name=state]", till())?.value ?? "");
  coverPage(/** @type {HTMLDialogElement | null} */ (find("dialog[open]", till())));
}

/**
 * Without script the dialog is open, but Tab leaves it.
 * @param {HTMLDialogElement | null} dialog
 */
function coverPage(dialog) {
  if (!dialog || dialog.matches(":modal")) return;
  dialog.close();
  dialog.showModal();
  find("#pin", dialog)?.focus();
}

/**
 * @param {string} text the answer
 * @param {string} [sent] what the focused field had when it was sent
 */
export function replacePage(text, sent) {
  const answer = parsePage(text);
  const form = answer.getElementById("sale");
  if (!form) return false;
  const id = document.activeElement?.id;
  const typed = typedText();
  const wasPaying = isPaying();
  const given = findInput("#given")?.value;
  replacing = true;
  till().replaceWith(form);
  replacing = false;
  keepGiven(given);
  addIcons(answer);
  const done = find(".toasts .note", answer);
  if (done) get(".toasts").replaceChildren(done);
  prepare();
  const wrong = find("#pin", till()) || find("[aria-invalid=true]", till());
  if (wrong && wrong.id === id) restoreFocus(id, typed, sent);
  else if (wrong) wrong.focus();
  else if (!wasPaying && isPaying()) find("#pay-title")?.focus();
  else focusNext(id, typed, sent);
  return true;
}
