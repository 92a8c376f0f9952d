// The till without reloads: each button sends the page's form, one after the other, and the answer replaces the page.
// All amounts come from the server. Without this script the same form is sent by the browser.
import { foundIn } from "../customer-search.js";
import { around, fieldOf, find, findInput, submitterOf } from "../dom.js";
import { isBusy, press, pressFinish, pressLater } from "./acts.js";
import { forgetCart, keptCart, reloadOnReturn } from "./kept-cart.js";
import { listenToKeys } from "./keyboard.js";
import { noteKey, scannedCode, typeDigit, typing } from "./keypad.js";
import { findTill, focusFirst, isReplacing, last, prepare } from "./page.js";

const AFTER_CASH = 120; // the change is shown while cash is typed
const AFTER_TYPING = 200;
/** The field that was changed last. @type {Element | null} */
let changed = null;

/** @param {SubmitEvent} event */
function submit(event) {
  if (/** @type {HTMLElement} */ (event.target).id !== "sale") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const button = submitterOf(event);
  last.field = "";
  last.pressed = (button?.name ? button : document.activeElement)?.id ?? "";
  if (button?.matches("[aria-pressed][data-tile]")) last.tile = button.id;
  if (button?.dataset.finish !== undefined) pressFinish(button);
  else if (button?.name) press(button.name, button.value);
  else if (!isOnItsWay(document.activeElement))
    pressEnter(/** @type {HTMLInputElement | null} */ (document.activeElement));
}

/** Enter changes a field before it submits: a second answer would replace what is typed after the first.
 * @param {Element | null} field
 */
const isOnItsWay = (field) => isBusy() && field === changed;

/** @param {HTMLInputElement | null} field */
function pressEnter(field) {
  const fieldset = field?.closest("fieldset");
  const own = /** @type {HTMLButtonElement | null} */ (fieldset && find("[data-finish]", fieldset));
  const combo = field?.closest(".combo");
  const [person] = combo && field?.value === field?.defaultValue ? foundIn(combo) : [];
  const search = findInput("#find");
  const before = field?.name === "given" ? typing.before : "";
  const code = field?.matches("[name=given], [name=part]") ? scannedCode(field.value, before) : "";
  if (own) pressFinish(own);
  else if (person && field?.value) person.click();
  else if (field && code && search) {
    search.value = code;
    field.value = before;
    press("find");
  } else press(field?.name || "");
}

document.addEventListener("submit", submit, true);
document.addEventListener("change", (event) => {
  const field = fieldOf(event);
  if (isReplacing() || !field.matches("#sale [data-send]") || ["people", "given", "part"].includes(field.name)) return;
  last.field = field.id;
  last.pressed = "";
  changed = field;
  press(field.name);
});
document.addEventListener("beforeinput", (event) => {
  const { name, value } = fieldOf(event);
  if (name === "given") noteKey(value, event.timeStamp);
});
document.addEventListener("input", (event) => {
  const { name } = fieldOf(event);
  if (name === "people" || name === "given") last.pressed = "";
  if (name === "people") pressLater(name, AFTER_TYPING);
  if (name === "given") pressLater(name, AFTER_CASH);
});
document.addEventListener("click", (event) => {
  const key = around(event, "[data-digit]");
  const field = findInput(key?.closest("dialog") ? "#pin" : "#given");
  if (!key || !field) return;
  field.value = typeDigit(field.value, key.dataset.digit ?? "", Number(field.dataset.decimals));
  if (field.id === "given") pressLater("given", AFTER_CASH);
});
listenToKeys();
reloadOnReturn();

const kept = keptCart();
if (!findTill()) forgetCart();
else if (location.pathname === "/till" && !location.search && kept) location.replace(`/till${kept}`);
else {
  prepare();
  focusFirst();
}
