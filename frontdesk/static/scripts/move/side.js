// The side of the calendar while a booking is moved: From, To and every rule, in place of what was there.
import { calendar } from "../calendar/grid.js";
import { find, findInput } from "../dom.js";
import { addIcons } from "../pages.js";

const side = () => find("aside", /** @type {HTMLElement} */ (calendar().parentElement));

/** @param {HTMLElement} shown */
const others = (shown) => /** @type {HTMLElement[]} */ ([...shown.children]);

/**
 * @param {Document} page
 * @param {string} hint
 */
export function showSide(page, hint) {
  const shown = side();
  const section = page.getElementById("move");
  if (!shown || !section) return;
  if (!shown.dataset.kept) {
    shown.dataset.kept = "yes";
    for (const child of others(shown)) child.hidden = true;
  }
  find("#move", shown)?.remove();
  const made = document.importNode(section, true);
  if (hint)
    made.append(Object.assign(document.createElement("p"), { className: "panel-body help", textContent: hint }));
  shown.prepend(made);
  addIcons(page);
}

export function clearSide() {
  const shown = side();
  if (!shown?.dataset.kept) return;
  find("#move", shown)?.remove();
  delete shown.dataset.kept;
  for (const child of others(shown)) child.hidden = false;
}

/** Whether the customer is told, where the side asks that. */
export function notice() {
  const box = findInput("#move input[type=checkbox][name=notify]");
  return box ? (box.checked ? "yes" : "no") : null;
}
