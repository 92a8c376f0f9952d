// A scanner types a code and Enter. What is typed outside a field goes into the search, so it needs no focus.
import { moveAmongFound } from "../customer-search.js";
import { around, find, findAll, hasModifier } from "../dom.js";
import { isBusy, press } from "./acts.js";
import { beginDigits, keepDigit } from "./method-digits.js";
import { FIELDS, findTill, firstTile, isPaying, last, till } from "./page.js";

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
 * Whether the arrow key moves among the tiles; from an empty search it goes on after the last one that was pressed.
 * @param {HTMLElement} target
 * @param {string} key
 */
function useArrow(target, key) {
  if (target.matches("[data-tile]")) moveAlong(target, key);
  else if (target === document.body || target.matches("#find:placeholder-shown")) {
    const before = last.tile && find(`#${CSS.escape(last.tile)}[data-tile]`, till());
    if (!before && !firstTile()) return false;
    if (before) moveAlong(before, key);
    else firstTile()?.focus();
  } else return false;
  return true;
}

/**
 * Where a key goes that is typed outside a field. At the payment a digit begins an amount.
 * @param {string} key
 */
const fieldFor = (key) => (/^[\d.]$/.test(key) ? find("#given") || find("#part") : null) || find("#find");

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
  const search = fieldFor(event.key) || find("#given");
  const dialog = find("dialog[open]", till()); // its keys, and none of the page below
  const button = find(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`, dialog || till());
  const isArrow = event.key.startsWith("Arrow");
  if (dialog && !button) return /^F\d/.test(event.key);
  if (event.key === "F2" && search) search.focus();
  else if (event.key === "F3" && find("#customer-search")) find("#customer-search")?.focus();
  else if (event.key === "Escape" && around(event, ".combo")) press("walk_in", "yes");
  else if (isArrow && moveAmongFound(event)) return true;
  else if (button) {
    if (button.matches("[name=method]:not([data-finish])")) beginDigits();
    button.click();
  } else if (event.key === "F4" && isBusy() && !isPaying())
    press("go", "pay"); // the first item is still on its way
  else if (isArrow) return useArrow(target, event.key);
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
