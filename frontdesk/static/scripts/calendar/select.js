// The selected booking is swapped in at the side, so that the calendar stays where it was scrolled to.
import { find, findAgain, findAll, get } from "../dom.js";
import { addIcons, parsePage, requestPage } from "../pages.js";
import { released } from "../released.js";
import { calendar } from "./grid.js";

/** What is typed or carried at the side is not replaced, also if it began while the new side was fetched. */
export const isEdited = () =>
  Boolean(find("#cal .ghosted, #side:has(dialog[open], #move, input:focus, select:focus, textarea:focus)"));

/** @param {string | null} order */
function markSelected(order) {
  get("#side").parentElement?.classList.toggle("picked", Boolean(order));
  for (const block of findAll(".booking", calendar())) {
    if (block.dataset.order === order) block.setAttribute("aria-current", "true");
    else block.removeAttribute("aria-current");
  }
}

/**
 * @param {string} address
 * @param {{ push?: boolean, isWanted?: () => boolean }} options
 * @returns {Promise<HTMLElement | null>} the new side
 */
export async function select(address, { push = true, isWanted = () => true } = {}) {
  const answer = await requestPage(address);
  const page = answer.ok && !answer.redirected ? parsePage(await answer.text()) : null;
  const side = page?.getElementById("side");
  if (!page || !side) {
    location.assign(address);
    return null;
  }
  await released(find("#side"));
  if (!isWanted()) return null;
  const old = get("#side");
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(side);
  if (active) findAgain(active, side)?.focus({ preventScroll: true });
  addIcons(page);
  markSelected(new URL(address, location.href).searchParams.get("order"));
  if (push) history.pushState(null, "", address);
  return side;
}
