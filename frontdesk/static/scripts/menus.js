// Menus close on a click beside them, and with Escape.
import { around, get } from "./dom.js";

/** @returns {NodeListOf<HTMLDetailsElement>} */
const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  if (around(event, "[data-copy]")) return;
  for (const menu of openMenus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    get("summary", menu).focus();
  }
});
