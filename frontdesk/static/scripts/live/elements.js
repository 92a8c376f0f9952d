// The elements of an order, in the calendar or in a list.
import { find, findAll } from "../dom.js";

/**
 * @param {string} order
 * @returns {HTMLElement | null}
 */
export function elementOf(order) {
  const block = find(`#cal a.booking[data-order="${order}"]`);
  return block ?? find(`[data-follow] a[href$="${order}"]`)?.closest("tr, li, .tile") ?? null;
}

/**
 * A ring around what others have changed; it fades.
 * @param {HTMLElement} element
 */
export function ring(element) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const other of findAll(".fresh")) other.classList.remove("fresh");
  }
  element.classList.add("fresh");
  element.addEventListener("animationend", () => element.classList.remove("fresh"));
}
