// The booking page, which works without it: a question takes the place of the one before, and the chosen time is held.
import { fieldOfForm, find, linkAround, opensElsewhere, submitterOf } from "./dom.js";
import { addIcons, parsePage, requestPage } from "./pages.js";
import { prepareDays, watchDays } from "./public-days.js";
import { heldToken, keepToken, releaseHeld } from "./public-hold.js";
import { fillKnown, keepKnown } from "./public-known.js";
import { showSearch } from "./public-menu.js";

const RENEW_AFTER = 90_000; // a hold lasts two minutes
const TYPED = ["name", "phone", "email", "note", "news"];

let latest = 0;
let shown = shownAddress();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let renewal;
/** What was typed, while another question is asked. @type {Map<string, string | boolean>} */
const typed = new Map();

const currentForm = () => /** @type {HTMLFormElement | null} */ (document.getElementById("bk"));
/** The form that asks who is coming. */
const detailsForm = () => (currentForm()?.dataset.hold ? currentForm() : null);

/** Other anchors are places of the same question. */
function shownAddress() {
  return location.pathname + location.search + (location.hash === "#you" ? "#you" : "");
}

/**
 * @param {"pushState" | "replaceState"} act
 * @param {string} place
 */
function setAddress(act, place) {
  history[act](null, "", place);
  shown = shownAddress();
}

function keepTyped() {
  const form = detailsForm();
  for (const name of form ? TYPED : []) {
    const field = fieldOfForm(/** @type {HTMLFormElement} */ (form), name);
    typed.set(name, field.type === "checkbox" ? field.checked : field.value);
  }
}

function fillTyped() {
  const form = detailsForm();
  for (const [name, value] of form ? typed : []) {
    const field = fieldOfForm(/** @type {HTMLFormElement} */ (form), name);
    if (field.type === "checkbox") field.checked = Boolean(value);
    else if (!field.value) field.value = String(value);
  }
  if (form) fillKnown(form);
}

/**
 * The question of another page in place of this one, or only the parts with an id.
 * @param {Document} page
 * @param {string[]} ids
 */
function swap(page, ids = ["main", "bag"]) {
  keepTyped();
  for (const id of ids) {
    const [old, found] = [document.getElementById(id), page.getElementById(id)];
    if (old && found) old.replaceWith(document.adoptNode(found));
    else if (found) find(".front")?.append(document.adoptNode(found));
    else old?.remove();
  }
  const [front, other] = [find(".front"), find(".front", page)];
  if (front && other) front.className = other.className;
  addIcons(page);
  fillTyped();
  showZone();
  showSearch();
  prepareDays();
}

function showZone() {
  const note = document.getElementById("zone");
  if (note && Intl.DateTimeFormat().resolvedOptions().timeZone !== note.dataset.zone) note.hidden = false;
}

/** The next question, or what is wrong with the answer, is seen and read first. */
function focusQuestion() {
  const answer = document.getElementById("answer");
  const heading = find("#question, h1");
  if (answer) focusAnswer(answer);
  else {
    scrollTo(0, 0);
    if (heading) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
  }
}

/** @param {HTMLElement} answer */
function focusAnswer(answer) {
  answer.scrollIntoView();
  const who = answer.closest("#who");
  ((who && find("[aria-invalid=true], [name=code]", who)) || answer).focus();
}

/**
 * The page of an address in place of this one; null: something newer was asked for meanwhile.
 * @param {string} place
 */
async function load(place) {
  const mine = ++latest;
  clearTimeout(renewal);
  await releaseHeld();
  const answer = await requestPage(place);
  const page = parsePage(await answer.text());
  if (mine !== latest) return null;
  if (!answer.ok || !page.getElementById("main")?.dataset.page) throw new Error("another page");
  swap(page);
  return page;
}

/**
 * A link to a question. A day of the same question keeps its place and the focus.
 * @param {HTMLAnchorElement} link
 */
async function follow(link) {
  const place = link.getAttribute("href") ?? "";
  link.setAttribute("aria-busy", "true");
  try {
    history.replaceState({ y: scrollY }, "");
    if (!(await load(place))) return;
    const isDay = link.closest(".days, .month"); // the link to a week or a month may have the address of its day
    const same = find(`main ${isDay ? ":is(.days, .month) " : ""}a[href="${CSS.escape(place)}"][aria-current]`);
    setAddress(same ? "replaceState" : "pushState", place);
    if (same) same.focus({ preventScroll: true });
    else focusQuestion();
    holdChosen();
  } catch {
    location.assign(place);
  }
}

/**
 * A time was chosen: the server holds it, and asks who is coming.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
async function choose(form, button) {
  button.setAttribute("aria-busy", "true");
  const body = new URLSearchParams(/** @type {never} */ (new FormData(form, button)));
  const page = await post(form.action, body).catch(() => null);
  if (!page) return sendWithout(form, button);
  history.replaceState({ y: scrollY }, "");
  swap(page);
  if (detailsForm()) setAddress("pushState", "#you");
  focusQuestion();
  renewLater();
}

/**
 * Without script.
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
function sendWithout(form, button) {
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "start", value: button.value }));
  form.submit();
}

/**
 * @param {string} address
 * @param {URLSearchParams} body
 */
async function post(address, body) {
  const mine = ++latest;
  clearTimeout(renewal);
  const answer = await fetch(address, { method: "POST", body, headers: { accept: "text/html" } });
  const page = parsePage(await answer.text());
  return answer.ok && mine === latest && page.getElementById("bk") ? page : null;
}

function renewLater() {
  const form = detailsForm();
  if (!form || !find("#held")) return;
  keepToken(fieldOfForm(form, "token").value);
  renewal = setTimeout(() => document.visibilityState === "visible" && holdChosen(), RENEW_AFTER);
}

/** Holds the time of this page, again or for the first time. Without a hold the form is sent all the same. */
async function holdChosen() {
  const form = detailsForm();
  if (!form) return;
  const body = new URLSearchParams(/** @type {never} */ (new FormData(form)));
  const page = await post(form.dataset.hold ?? "", body).catch(() => null);
  if (!page) return;
  const isFree = page.getElementById("kept");
  swap(page, isFree ? ["kept"] : undefined);
  if (isFree) renewLater();
  else focusQuestion(); // it was just taken
}

/** A reloaded page has a new form, and to it the time that the old one holds is taken. */
async function drawAgain() {
  const form = currentForm();
  const token = heldToken();
  if (form && token && token !== fieldOfForm(form, "token").value) await load(location.href).catch(() => null);
  holdChosen();
}

document.addEventListener("click", (event) => {
  const link = linkAround(event, ".front a");
  if (!link || opensElsewhere(event) || event.altKey || link.target || link.lang) return;
  if (link.pathname !== document.getElementById("main")?.dataset.page || link.hash) return;
  event.preventDefault();
  follow(link);
});
document.addEventListener("submit", (event) => {
  const [form, button] = [currentForm(), submitterOf(event)];
  if (!form || event.target !== form) return;
  if (button?.name !== "start") {
    if (form === detailsForm()) keepKnown(form);
    latest++;
    clearTimeout(renewal);
    return;
  }
  event.preventDefault();
  choose(form, button);
});
addEventListener("popstate", async () => {
  if (shown === shownAddress()) return;
  shown = shownAddress();
  const y = history.state?.y ?? 0;
  if (!(await load(location.href).catch(() => location.reload()))) return;
  focusQuestion();
  scrollTo(0, y);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") find(".bag details")?.removeAttribute("open");
});

showZone();
showSearch();
fillTyped();
watchDays();
if (currentForm()) {
  const answer = document.getElementById("answer");
  if (answer) focusAnswer(answer);
  drawAgain();
}
