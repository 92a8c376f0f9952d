// The search in a long menu of the booking page.
import { fieldOf, findAll, findInput } from "./dom.js";

/** @param {string} typed */
function filter(typed) {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const group of findAll(".step > section")) {
    let any = false;
    for (const row of findAll("li", group)) {
      const text = row.textContent.toLocaleLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      any ||= !row.hidden;
    }
    group.hidden = !any;
  }
}

/** It works with script only. */
export function showSearch() {
  const search = findInput("#find-service");
  if (search?.parentElement) search.parentElement.hidden = false;
}

document.addEventListener("input", (event) => {
  if (fieldOf(event).id === "find-service") filter(fieldOf(event).value);
});
