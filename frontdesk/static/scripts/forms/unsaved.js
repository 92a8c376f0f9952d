// The bar of a long form says how many fields were changed. Its texts are for 1 to 11 changes.
import { findAll } from "../dom.js";

/** @param {HTMLInputElement | HTMLSelectElement} field */
function isChanged(field) {
  if (!field.name || ["hidden", "submit"].includes(field.type)) return false;
  if (field.type === "checkbox" && "checked" in field) return field.checked !== field.defaultChecked;
  if (field.type === "radio" && "checked" in field) return field.checked && !field.defaultChecked;
  if ("defaultValue" in field) return field.value !== field.defaultValue;
  const options = "options" in field ? [...field.options] : [];
  return field.value !== (options.find((option) => option.defaultSelected) ?? options[0])?.value;
}

/** @param {HTMLElement} unsaved */
function count(unsaved) {
  const form = /** @type {HTMLFormElement} */ (unsaved.closest("form"));
  const texts = (unsaved.dataset.unsaved ?? "").split("|");
  const show = () => {
    const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
    const changed = fields.filter(isChanged).length;
    const text = texts[Math.min(changed, texts.length) - 1] ?? "";
    unsaved.textContent = text.replace(`${texts.length}`, `${changed}`);
  };
  form.addEventListener("input", show);
  addEventListener("pageshow", show);
}

for (const unsaved of findAll("[data-unsaved]")) count(unsaved);
