// Back opens the page of a form anew. A form that records money then has the id and version with which it was sent, so
// that nothing is recorded twice.
import { findInput, findInputs } from "../dom.js";
import { kindOfVisit, pathOf } from "./form-path.js";

/** @param {HTMLFormElement} form */
const keyOf = (form) => `frontdesk.sent ${pathOf(form)}`;

/** @param {HTMLFormElement} form */
const onceFields = (form) => [findInput("[name=id][data-once]", form), findInput("[name=version]", form)];

/** @param {HTMLFormElement} form */
export function keepSent(form) {
  const values = onceFields(form).map((field) => field?.value);
  if (values[0]) sessionStorage.setItem(keyOf(form), JSON.stringify(values));
}

if (kindOfVisit() === "back_forward") {
  for (const { form } of findInputs("[name=id][data-once]")) {
    if (!form) continue;
    const sent = JSON.parse(sessionStorage.getItem(keyOf(form)) || "[]");
    for (const [place, field] of onceFields(form).entries()) if (field && sent[place]) field.value = sent[place];
  }
}
