// Shows what the chosen lines of a refund amount to; the server computes it.
import { latinDigits } from "../digits.js";
import { fieldOf, findAll, findInputs } from "../dom.js";

/**
 * @param {HTMLElement} total
 * @param {HTMLFormElement} form
 */
async function show(total, form) {
  const quantities = findInputs("[name=quantity]", form).map((field) => Number(latinDigits(field.value)) || 0);
  const lines = findInputs("[name=line]", form).map((line, place) => ({ id: line.value, quantity: quantities[place] }));
  const chosen = lines.filter(({ quantity }) => quantity).map(({ id, quantity }) => `${id}:${quantity}`);
  const response = chosen.length ? await fetch(`${total.dataset.refund}?lines=${chosen.join(",")}`) : null;
  total.textContent = response?.ok ? await response.text() : "";
}

for (const total of findAll("[data-refund]")) {
  const form = /** @type {HTMLFormElement} */ (total.closest("form"));
  form.addEventListener("input", (event) => {
    if (fieldOf(event).name === "quantity") show(total, form);
  });
  show(total, form);
}
