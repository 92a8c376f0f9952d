// "/" searches, "?" lists the keys, Ctrl+S saves, and a key of data-key follows its link or presses its button.
import { around, find, hasModifier } from "./dom.js";

/** @param {KeyboardEvent} event */
function useKey(event) {
  if (hasModifier(event) || find("dialog[open]")) return;
  if (around(event, "input, select, textarea, [contenteditable]") && event.key !== "F2") return;
  const search = find("main [type=search]") ?? find(".find [type=search]");
  const keys = /** @type {HTMLDialogElement | null} */ (find("#keys"));
  const target = find(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if ((event.key === "/" || event.key === "F2") && search) search.focus();
  else if (event.key === "?" && keys) keys.showModal();
  else if (target) target.click();
  else return;
  event.preventDefault();
}

/** @param {KeyboardEvent} event */
function save(event) {
  const button = find(".action-bar .button-primary");
  if (!button || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  button.click();
}

document.addEventListener("keydown", useKey);
document.addEventListener("keydown", save);
