// The search in a long menu of the booking page.
import { findAll, findInput } from "./dom.js";

const search = findInput("#find-service");

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

if (search?.parentElement) {
  search.parentElement.hidden = false;
  search.addEventListener("input", () => filter(search.value));
}
