// Dragging, with a mouse or a pen. A finger scrolls; it drags what the button Move has picked up, and on a phone there is
// the form.
import { calendar, columns, gridMinutes, shownMinutes } from "../calendar/grid.js";
import { around } from "../dom.js";
import { canMove, carried, moveTo, pickUp, putBack } from "./carried.js";
import { minutesDragged, moved, resized } from "./dragging.js";
import { drop } from "./drop.js";

const EDGE = 6; // pixels at the end of a block that make it longer or shorter
const FAR = 5; // pixels after which a press is a drag

let isDragged = false;

/**
 * @param {HTMLElement} block
 * @param {PointerEvent} event
 */
const isEdge = (block, event) => block.getBoundingClientRect().bottom - event.clientY <= EDGE;

/**
 * @param {PointerEvent} event
 * @param {{ x: number, y: number }} began
 * @param {import("./carried.js").Place} from
 * @param {boolean} resizes
 */
function follow(event, began, from, resizes) {
  if (!carried) return;
  const { column } = carried;
  const grid = gridMinutes();
  const { height } = column.getBoundingClientRect();
  const by = minutesDragged(event.clientY - began.y, height, shownMinutes(), grid);
  const { start, end } = resizes ? resized(from, by) : moved(from, by, grid);
  const over = columns().find((one) => {
    const box = one.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX < box.right;
  });
  moveTo(resizes ? column : (over ?? column), start, end);
}

/** @param {PointerEvent} event */
function begin(event) {
  const block = around(event, "a.booking");
  isDragged = false;
  const isCarried = Boolean(carried) && block === carried?.copy;
  const begins = isCarried || (!carried && event.pointerType !== "touch" && canMove(block));
  if (event.button || !block || !begins) return;
  const began = { x: event.clientX, y: event.clientY };
  const resizes = !isCarried && isEdge(block, event);
  let from = isCarried && carried ? { ...carried } : null;
  const stop = new AbortController();
  const { signal } = stop;
  const giveUp = () => {
    stop.abort();
    putBack();
  };
  const move = (/** @type {PointerEvent} */ to) => {
    if (!carried && Math.hypot(to.clientX - began.x, to.clientY - began.y) < FAR) return;
    from ??= { ...(carried ?? pickUp(block)) };
    isDragged = true;
    follow(to, began, from, resizes);
  };
  const end = (/** @type {PointerEvent} */ at) => {
    stop.abort();
    if (isCarried || !isDragged) return; // the side has the button
    if (document.elementFromPoint(at.clientX, at.clientY)?.closest("#cal .calendar-column")) drop();
    else putBack();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", giveUp, { signal });
  addEventListener("blur", giveUp, { signal });
  addEventListener("keydown", (pressed) => pressed.key === "Escape" && giveUp(), { signal });
}

export function listenToPointer() {
  calendar().addEventListener("dragstart", (event) => around(event, ".booking") && event.preventDefault());
  calendar().addEventListener("pointermove", (event) => {
    const block = around(event, "a.booking");
    if (block && !carried) block.classList.toggle("edge", canMove(block) && isEdge(block, event));
  });
  calendar().addEventListener("pointerdown", begin);
  calendar().addEventListener(
    "click",
    (event) => {
      if (!(isDragged && around(event, ".booking")) && !around(event, ".booking.mine")) return;
      isDragged = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
