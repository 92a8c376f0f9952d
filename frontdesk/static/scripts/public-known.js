// Customers who wish it find their name and number filled in next time. Nothing of it leaves their device by itself.
import { fieldOfForm, find, findInput } from "./dom.js";

const NAME = "known customer";
const FIELDS = ["name", "phone", "email"];

const box = () => findInput("#know-me input");

/** @returns {Record<string, string> | null} */
function known() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "null");
  } catch {
    return null; // in a frame that may store nothing
  }
}

/**
 * What was typed already stays.
 * @param {HTMLFormElement} form
 */
export function fillKnown(form) {
  const label = find("#know-me");
  if (label) label.hidden = false;
  const values = known();
  const field = box();
  if (!values || !field) return;
  field.checked = true;
  for (const name of FIELDS) fieldOfForm(form, name).value ||= values[name] ?? "";
}

/**
 * Without the tick nothing stays: that is also how a device forgets.
 * @param {HTMLFormElement} form
 */
export function keepKnown(form) {
  try {
    if (!box()?.checked) return localStorage.removeItem(NAME);
    const values = Object.fromEntries(FIELDS.map((name) => [name, fieldOfForm(form, name).value]));
    localStorage.setItem(NAME, JSON.stringify(values));
  } catch {
    // It is asked for again next time.
  }
}
