// Who waits for a time that is not free: the panel at the side, and in the calendar who could have which free time.
import { calendar, findCalendar } from "../calendar/grid.js";
import { findAll } from "../dom.js";
import { addIcons, fetchPage } from "../pages.js";
import { columnAt, slotClasses } from "./drawing.js";

/** @param {HTMLElement} panel */
function drawOffers(panel) {
  for (const old of findAll(".pickup.waits", calendar())) old.remove();
  for (const { dataset } of findAll("li[data-offer]", panel)) {
    const { offer = "", text = "", staff, start = "", end = "" } = dataset;
    const column = columnAt(staff, start);
    if (!column) continue;
    const className = `${slotClasses(column, start, end)} pickup waits`;
    column.append(Object.assign(document.createElement("a"), { href: offer, textContent: text, className }));
  }
}

export async function loadWaitingList() {
  const panel = document.getElementById("waiting");
  if (!panel?.dataset.panel) return;
  const page = await fetchPage(panel.dataset.panel);
  const fresh = page?.getElementById("waiting");
  if (!page || !fresh || !panel.isConnected) return;
  addIcons(page);
  fresh.dataset.loaded = "yes";
  panel.replaceWith(fresh);
  if (findCalendar()) drawOffers(fresh);
}
