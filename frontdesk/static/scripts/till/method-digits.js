// What is typed after the key of a payment method belongs to that method, also before its field is there.
import { find, findInput } from "../dom.js";
import { till } from "./page.js";

/** @type {string | null} */
let digits = null; // since the key, until the field is there

export function beginDigits() {
  digits = "";
}

export function dropDigits() {
  digits = null;
}

/**
 * Whether the key is a digit for a field that is on its way.
 * @param {string} key
 */
export function keepDigit(key) {
  if (digits === null || !/^[\d.]$/.test(key)) return false;
  digits += key;
  return true;
}

export function fillMethod() {
  const typed = digits;
  dropDigits();
  const row = find(".payments li:last-child", till());
  if (typed === null || !row || find("[aria-invalid=true]", till())) return;
  const field = find("[name=cash]", row) ? findInput("#given") : findInput("[name=amount]", row);
  if (!field) return;
  field.focus();
  field.select();
  if (!typed) return;
  field.value = typed;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
