// On the calendar the form opens in a sheet beside the day.
import { findCalendar } from "../calendar/grid.js";
import { find, get, linkAround, opensElsewhere } from "../dom.js";
import { parsePage, requestPage } from "../pages.js";
import { drawBooking } from "./drawing.js";
import { findForm, findHolder, forgetAnswers, swapForm } from "./form.js";
import { loadWaitingList } from "./waiting-list.js";

/** @type {HTMLElement | null} */
let opener = null;
/** @type {HTMLDialogElement | null} */
let sheet = null;

const beside = () => /** @type {HTMLElement} */ (get("#side").parentElement);

/** @param {HTMLElement} side */
function showSheet(side) {
  sheet = Object.assign(document.createElement("dialog"), { className: "sheet", id: "new-booking" });
  sheet.setAttribute("aria-labelledby", "booking-h");
  side.prepend(sheet);
  beside().classList.add("with-booking-form");
  sheet.show();
}

/** @param {HTMLAnchorElement} link */
async function openSheet(link) {
  const answer = await requestPage(link.href);
  const side = document.getElementById("side");
  if (!answer.ok || answer.redirected || !side) return location.assign(link.href);
  const page = parsePage(await answer.text());
  if (!findHolder()) {
    opener = link;
    showSheet(side);
  }
  if (!swapForm(page)) return location.assign(link.href);
  (find("#f-find") ?? find("#f-add_service"))?.focus();
}

function closeSheet() {
  if (!sheet) return;
  forgetAnswers();
  beside().classList.remove("with-booking-form");
  sheet.remove();
  sheet = null;
  drawBooking(findForm());
  (opener?.isConnected ? opener : findCalendar())?.focus();
}

/** @param {MouseEvent} event */
function useLink(event) {
  const link = linkAround(event, "a[href]");
  if (sheet && link?.matches("#new-booking [data-close]")) {
    event.preventDefault();
    closeSheet();
  } else if (link && !opensElsewhere(event) && new URL(link.href).pathname === "/calendar/new") {
    event.preventDefault();
    openSheet(link);
  }
}

/** The side is replaced when a booking is selected. What is being written stays. */
function keepSheet() {
  if (sheet && !sheet.isConnected) get("#side").prepend(sheet);
  drawBooking(findForm());
  if (find("#waiting[data-panel]:not([data-loaded])")) loadWaitingList();
}

export function listenBesideCalendar() {
  document.addEventListener("click", useLink);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) closeSheet();
  });
  new MutationObserver(keepSheet).observe(beside(), { childList: true });
}
