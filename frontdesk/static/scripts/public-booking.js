// The booking page, which works without it: choices are swapped in place, and a chosen time is held for a while.
import { fieldOf, fieldOfForm, find, findInput, linkAround, opensElsewhere } from "./dom.js";
import { addIcons, parsePage, requestPage } from "./pages.js";

const SWAPPED = ["choose", "end", "card", "news", "languages"];
const RENEW_AFTER = 90_000; // a hold lasts two minutes
const HELD_FIELDS = ["branch", "services", "day", "token"];

let latest = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let renewal;

/** @param {string} text */
function swap(text) {
  const page = parsePage(text);
  if (!page.getElementById("bk")) return false;
  for (const id of SWAPPED) {
    const found = page.getElementById(id);
    if (found) document.getElementById(id)?.replaceWith(document.adoptNode(found));
  }
  addIcons(page);
  showZone();
  return true;
}

function showZone() {
  const note = document.getElementById("zone");
  if (note && Intl.DateTimeFormat().resolvedOptions().timeZone !== note.dataset.zone) note.hidden = false;
}

// The token of the form that holds a time, so that its hold can be released after a reload. Never in an address.

/** @param {HTMLFormElement} form */
const heldName = (form) => `held ${(form.dataset.release ?? "").split("?")[0]}`;

/** @param {HTMLFormElement} form */
function heldToken(form) {
  try {
    return sessionStorage.getItem(heldName(form));
  } catch {
    return null; // in a frame that may store nothing
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} token
 */
function keepToken(form, token) {
  try {
    if (token) sessionStorage.setItem(heldName(form), token);
    else sessionStorage.removeItem(heldName(form));
  } catch {
    // The hold ends by itself.
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} token
 */
async function release(form, token) {
  keepToken(form, "");
  await fetch(form.dataset.release ?? "", { method: "POST", body: new URLSearchParams({ token }) });
}

/**
 * A reloaded page has a new form, and to it the time that the old one holds is taken.
 * @param {HTMLFormElement} form
 */
async function drawAgain(form) {
  const token = heldToken(form);
  if (!token || token === fieldOfForm(form, "token").value) return;
  const mine = ++latest;
  try {
    await release(form, token);
    const answer = await requestPage(location.href);
    const text = await answer.text();
    if (answer.ok && mine === latest) swap(text);
  } catch {
    // The hold ends by itself.
  }
}

/**
 * Links within the choices: days, weeks, providers. What was typed stays, because the details are not swapped.
 * @param {HTMLFormElement} form
 * @param {string} place
 */
async function follow(form, place) {
  const mine = ++latest;
  clearTimeout(renewal);
  try {
    const token = heldToken(form);
    if (token) await release(form, token);
    const answer = await requestPage(place);
    const text = await answer.text();
    if (mine !== latest) return;
    if (!answer.ok || !swap(text)) throw new Error("another page");
    history.replaceState(null, "", place);
    find(`#choose a[href="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });
  } catch {
    location.assign(place);
  }
}

/**
 * The chosen time: the server holds it, and answers with the summary, the terms and the button.
 * @param {HTMLFormElement} form
 */
async function hold(form) {
  clearTimeout(renewal);
  const chosen = findInput("[name=start]:checked");
  if (!chosen) return;
  const mine = ++latest;
  const body = new URLSearchParams(HELD_FIELDS.map((name) => [name, fieldOfForm(form, name).value]));
  body.set("start", chosen.value);
  const request = { method: "POST", body, headers: { accept: "text/html" } };
  // Without a hold the form is sent all the same.
  const answer = await fetch(form.dataset.hold ?? "", request).catch(() => null);
  if (!answer?.ok || mine !== latest) return;
  const hadFocus = document.activeElement === chosen;
  const text = await answer.text().catch(() => "");
  if (!swap(text)) return;
  const again = findInput("[name=start]:checked");
  if (hadFocus) again?.focus({ preventScroll: true });
  if (!again) find("#answer")?.scrollIntoView({ block: "center" }); // it was just taken
  const renew = () => document.visibilityState === "visible" && hold(form);
  if (!find("#held")) return;
  keepToken(form, fieldOfForm(form, "token").value);
  renewal = setTimeout(renew, RENEW_AFTER);
}

function focusAnswer() {
  const answer = document.getElementById("answer");
  if (!answer) return;
  answer.scrollIntoView();
  const who = answer.closest("#who");
  ((who && find("[aria-invalid=true], [name=code]", who)) || answer).focus();
}

/** @param {HTMLFormElement} form */
function listen(form) {
  document.addEventListener("click", (event) => {
    const link = linkAround(event, "#choose a");
    if (!link || opensElsewhere(event) || event.altKey || link.classList.contains("button-add")) return;
    event.preventDefault();
    follow(form, link.getAttribute("href") ?? "");
  });
  // On the document: the times that replace a taken one stand above the form.
  document.addEventListener("change", (event) => {
    if (fieldOf(event).name === "start") hold(form);
  });
  form.addEventListener("submit", () => {
    latest++;
    clearTimeout(renewal);
  });
}

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("bk"));
if (form) {
  listen(form);
  showZone();
  focusAnswer();
  if (!find("#answer") && findInput("[name=start]:checked")) hold(form); // the page in another language
  drawAgain(form);
}
