// The line of now.
import { find, findAll } from "../dom.js";
import { kindOfVisit } from "../forms/form-path.js";
import { calendar, midnightOf, zone } from "./grid.js";
import { clockOf, MINUTE, placeClasses } from "./times.js";

export function moveNow() {
  const column = find("#cal .calendar-column:has(> i.now)");
  if (!column) return;
  const at = Math.floor((Date.now() - midnightOf(column)) / MINUTE / 5) * 5;
  for (const line of findAll("#cal .now")) {
    line.className = ["slot now", ...placeClasses(at, at + 5)].join(" ");
    if (line.firstElementChild) line.firstElementChild.textContent = clockOf(Date.now(), zone());
  }
}

/** The calendar opens at the selected booking, else at the present hour. A page that is shown again stays where it was. */
export function scrollToNow() {
  const block = find(".booking[aria-current]", calendar());
  if (block) block.scrollIntoView({ block: "nearest", inline: "nearest" }); // of many providers
  const line = !block && kindOfVisit() === "navigate" ? find("i.now", calendar()) : null;
  if (!line) return;
  const isBelow = line.getBoundingClientRect().bottom > innerHeight;
  line.scrollIntoView({ block: isBelow ? "center" : "nearest", inline: "nearest" });
}
