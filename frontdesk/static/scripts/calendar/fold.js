// Folds the side of the calendar at once. The form remembers it for the user.
import { around, get, submitterOf } from "../dom.js";

/** @param {SubmitEvent} event */
function fold(event) {
  const form = /** @type {HTMLFormElement | null} */ (around(event, "form.fold-side"));
  const button = submitterOf(event);
  if (!form || !button) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // a form that is sent once
  const body = new FormData(form, button);
  const isFolded = button.value === "folded";
  get("#side").parentElement?.classList.toggle("side-folded", isFolded);
  button.value = isFolded ? "shown" : "folded";
  button.setAttribute("aria-expanded", String(!isFolded));
  const sent = new URLSearchParams(/** @type {any} */ (body));
  fetch(form.action, { method: "POST", body: sent, redirect: "manual" }).catch(() => null);
}

export const listenToFold = () => document.addEventListener("submit", fold, { capture: true });
