// The list of customers is searched while the user types. Without this script the form is submitted.
import { find, get } from "./dom.js";
import { addIcons, fetchPage, parsePage, requestPage } from "./pages.js";

const form = /** @type {HTMLFormElement} */ (get("form[data-live]"));
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending;
let latest = 0;

/**
 * @param {Document} page
 * @param {string} selector
 */
function replace(page, selector) {
  const fresh = find(selector, page);
  if (!fresh) return;
  find("[autofocus]", fresh)?.removeAttribute("autofocus");
  find(selector)?.replaceWith(fresh);
}

async function search() {
  const mine = ++latest;
  const fields = /** @type {string[][]} */ ([...new FormData(form)]).filter(([, value]) => value);
  const address = `${form.action}?${new URLSearchParams(fields)}`;
  const answer = await requestPage(address);
  if (!answer.ok || answer.redirected) return;
  const page = parsePage(await answer.text());
  if (mine !== latest) return; // the user has typed on
  replace(page, `#${form.dataset.live}`);
  addIcons(page);
  replace(page, "form[data-live] nav");
  showAway();
  replace(page, ".head a[href^='/export/']");
  history.replaceState(null, "", address);
}

form.addEventListener("input", () => {
  clearTimeout(pending);
  pending = setTimeout(search, 150);
});

// What takes longer to count follows the page. A provider has no counts.
/** @type {HTMLElement | null | undefined} */
let away;

function showAway() {
  if (away) find("form[data-live] nav a[href*='show=away']")?.append(" ", away);
}

async function showCounts() {
  const page = await fetchPage("/customers/counts");
  if (!page) return;
  away = page.getElementById("away");
  showAway();
  const twice = page.getElementById("twice");
  if (twice) find(`#${form.dataset.live}`)?.before(twice);
}

if (find("nav", form)) showCounts();
