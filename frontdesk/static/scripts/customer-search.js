// Customers that were found while their name was typed: the arrow keys go through them.
import { around, find, findAll } from "./dom.js";

/** @param {Element} holder */
export const foundIn = (holder) => findAll(".found button:not(:disabled)", holder);

/**
 * Whether the key was used up.
 * @param {KeyboardEvent} event
 */
export function moveAmongFound(event) {
  const combo = around(event, ".combo");
  if (!combo || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return false;
  const buttons = foundIn(combo);
  const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  (buttons[Math.min(next, buttons.length - 1)] ?? find("input", combo))?.focus();
  return true;
}
