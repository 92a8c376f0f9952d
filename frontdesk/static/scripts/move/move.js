// Moves a booking of the calendar by dragging or by keys; /orders/{id}/move does the same without it.
import { calendar } from "../calendar/grid.js";
import { findAll, linkAround } from "../dom.js";
import { canMove, carried, pickUp, place } from "./carried.js";
import { listenToPointer } from "./drag.js";
import { listenToKeys } from "./keyboard.js";
import { listenAtSide } from "./preview.js";

/**
 * The button of the selected booking picks it up, where there is room to carry it.
 * @param {MouseEvent} event
 */
function useButton(event) {
  const link = linkAround(event, "a[data-move]");
  const order = link && new URL(link.href).pathname.split("/")[2];
  const block = link && findAll(`a.booking[data-order="${order}"]`, calendar()).find(canMove);
  if (!block || carried || event.ctrlKey || event.metaKey || !matchMedia("(min-width: 60rem)").matches) return;
  event.preventDefault();
  const moved = pickUp(block);
  moved.copy.focus();
  place(moved);
}

listenToPointer();
listenToKeys();
document.addEventListener("click", useButton);
listenAtSide();
