// The calendar: keys, the line of now, the free time under the pointer, and the selected booking at the side.
// Every act works without it.
import { around, findAll, get, linkAround, opensElsewhere } from "../dom.js";
import "../forms/submit-on-change.js";
import { beginBlocking, keepLink } from "./block-time.js";
import { listenToFold } from "./fold.js";
import { pressFreeTime, showFreeTime } from "./free-time.js";
import { calendar, columnOf, findCalendar } from "./grid.js";
import { aimNew, blockTime, goToSide, useArrow } from "./keyboard.js";
import { moveNow, scrollToNow } from "./now.js";
import { isEdited, select } from "./select.js";

/** The page leaves out what its links and columns say. Other scripts read data-order and data-staff of a block. */
function complete() {
  for (const block of findAll("#cal .calendar-column > .booking:not([data-order])")) {
    const { href } = /** @type {HTMLAnchorElement} */ (block);
    const order = href && new URL(href).searchParams.get("order");
    if (!order) continue;
    block.dataset.order = order;
    const { link } = calendar().dataset;
    if (link) block.setAttribute("href", `${link}${order}`);
  }
  for (const block of findAll("#cal .calendar-column > .booking:not([data-staff])"))
    block.dataset.staff = columnOf(block).dataset.staff;
}

/** @param {MouseEvent} event */
function openBlock(event) {
  const block = linkAround(event, "a.booking");
  if (!block || opensElsewhere(event)) return;
  event.preventDefault();
  select(block.href);
}

/**
 * @template {Event} E
 * @param {(event: E) => void} act
 * @returns {(event: E) => void}
 */
const inCalendar = (act) => (event) => {
  if (around(event, "#cal")) act(event);
};

listenToFold();
if (findCalendar()) {
  complete();
  scrollToNow();
  new MutationObserver(complete).observe(get("main"), { childList: true, subtree: true });
  document.addEventListener("pointermove", showFreeTime);
  document.addEventListener("pointerdown", pressFreeTime);
  document.addEventListener("pointerdown", beginBlocking);
  document.addEventListener("dragstart", keepLink);
  document.addEventListener("keydown", useArrow);
  document.addEventListener("keydown", blockTime);
  document.addEventListener("keydown", goToSide);
  document.addEventListener("focusin", inCalendar(aimNew));
  document.addEventListener("click", inCalendar(openBlock));
  document.addEventListener("frontdesk:changed", (event) => {
    const order = new URLSearchParams(location.search).get("order");
    const { orders } = /** @type {CustomEvent<{ orders: (string | null)[] }>} */ (event).detail;
    if (!document.getElementById("side") || !orders.includes(order) || isEdited()) return;
    select(location.href, { push: false, isWanted: () => !isEdited() });
  });
  addEventListener("popstate", () => select(location.href, { push: false }));
  setInterval(moveNow, 60_000);
}
