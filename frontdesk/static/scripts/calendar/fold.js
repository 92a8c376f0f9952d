// Folds the side of the calendar at once. The form remembers it for the user.
import { around, get, submitterOf } from "../dom.js";

/** @param {SubmitEvent} event */
function fold(event) {
  const form = /** @type {HTMLFormElement | null} */ (around(event, "form.fold-side"));
  const button = submitterOf(event);
  if (!form || !button) return;
  event.preventDefault();
  const body = new FormData(form, button);
  const isFolded = button.value === "folded";
  get("#side").parentElement?.classList.toggle("side-folded", isFolded);
  button.value = isFolded ? "shown" : "folded";
  button.setAttribute("aria-expanded", String(!isFolded));
  fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (body)) }).catch(() => null);
}

export const listenToFold = () => document.addEventListener("submit", fold);
