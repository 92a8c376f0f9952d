// A form is sent once, however often its button is pressed.
import { findAll, submitterOf } from "../dom.js";
import { confirm, needsConfirmation } from "./confirm.js";
import { keepSent } from "./sent-once.js";
import { keepTyped } from "./typed-values.js";

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = submitterOf(event);
  if (button && needsConfirmation(button)) {
    event.preventDefault();
    confirm(button);
    return;
  }
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  keepSent(form);
  keepTyped(form);
  button?.setAttribute("aria-busy", "true");
});

addEventListener("pageshow", () => {
  for (const form of findAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const busy of findAll("[aria-busy]", form)) busy.removeAttribute("aria-busy");
  }
});
