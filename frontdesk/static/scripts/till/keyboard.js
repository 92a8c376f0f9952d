// A scanner types a code and Enter. What is typed outside a field goes into the search, so it needs no focus.
import { around, find, findAll, hasModifier } from "../dom.js";
import { isBusy, press } from "./acts.js";
import { beginDigits, keepDigit } from "./method-digits.js";
import { FIELDS, findTill, firstTile, isPaying, till } from "./page.js";

/**
 * @param {HTMLElement} tile
 * @param {string} key
 */
function moveAlong(tile, key) {
  const tiles = findAll("[data-tile]", till());
  const forward = document.documentElement.dir === "rtl" ? -1 : 1;
  const row = tiles.filter((one) => one.offsetTop === tile.offsetTop).length;
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: row, ArrowUp: -row };
  const place = tiles.indexOf(tile) + (steps[key] ?? 0);
  tiles[Math.max(0, Math.min(tiles.length - 1, place))]?.focus();
}

/**
 * A key that is held down presses its button once: the page after it may have another one there.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} target
 */
const isHeld = (event, target) =>
  event.repeat && (/^F\d/.test(event.key) || (event.key === "Enter" && target.matches("button, a")));

/**
 * Whether the key was used up.
 * @param {KeyboardEvent} event
 */
function useKey(event) {
  if (hasModifier(event) || !findTill()) return false;
  const target = /** @type {HTMLElement} */ (event.target);
  if (isHeld(event, target) || keepDigit(event.key)) return true;
  const search = find("#find") || find("#given");
  const dialog = find("dialog[open]", till()); // its keys, and none of the page below
  const button = find(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`, dialog || till());
  const isArrow = event.key.startsWith("Arrow");
  if (dialog && !button) return /^F\d/.test(event.key);
  if (event.key === "F2" && search) search.focus();
  else if (button) {
    if (button.getAttribute("name") === "method") beginDigits();
    button.click();
  } else if (event.key === "F4" && isBusy() && !isPaying())
    press("go", "pay"); // the first item is still on its way
  else if (isArrow && target.matches("[data-tile]")) moveAlong(target, event.key);
  else if (isArrow && target === document.body && firstTile()) firstTile()?.focus();
  else if (!around(event, FIELDS) && event.key.length === 1 && event.key !== " " && search) {
    search.focus();
    event.stopPropagation();
    return false; // the letter still goes into the field
  } else return false;
  return true;
}

export const listenToKeys = () =>
  document.addEventListener(
    "keydown",
    (event) => {
      if (!useKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
