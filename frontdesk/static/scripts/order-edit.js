// Shows what follows while the lines of an order are changed. Without it the button Update does the same.
import { fieldOf, findAll, submitterOf } from "./dom.js";
import { addIcons, parsePage } from "./pages.js";
import { released } from "./released.js";

let latest = 0;

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
const body = (form, submitter) => new URLSearchParams(/** @type {any} */ (new FormData(form, submitter))).toString();

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function sendPlainly(form, submitter) {
  form.dataset.plain = "yes";
  form.requestSubmit(submitter);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} fresh
 */
function replaceForm(form, fresh) {
  const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const focused = active?.name ? `[name="${active.name}"]` : null;
  const place = focused && active ? findAll(focused, form).indexOf(active) : -1;
  form.replaceWith(fresh);
  if (focused && place >= 0) findAll(focused, fresh)[place]?.focus();
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 * @param {{ isAct?: boolean }} options
 */
async function refresh(form, submitter, { isAct = false } = {}) {
  const sent = ++latest;
  const asked = body(form, submitter);
  const request = { method: "POST", body: new URLSearchParams(asked), redirect: /** @type {const} */ ("manual") };
  const response = await fetch(form.action, request).catch(() => null);
  if (!response) return sendPlainly(form, submitter);
  if (sent !== latest) return;
  if (!response.headers.get("content-type")?.startsWith("text/html")) return sendPlainly(form, submitter);
  const page = parsePage(await response.text());
  const fresh = page.getElementById("edit");
  if (!fresh) return location.reload();
  await released(form);
  // What was typed meanwhile stays; its own change asks again.
  if (sent !== latest || (!isAct && body(form, submitter) !== asked)) return;
  addIcons(page);
  replaceForm(form, fresh);
}

document.addEventListener("change", (event) => {
  const form = /** @type {HTMLFormElement | null} */ (fieldOf(event).closest("#edit"));
  if (form && fieldOf(event).name !== "note") refresh(form, form.querySelector("[value=update]"));
});

document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = submitterOf(event);
    if (form.id !== "edit") return;
    latest += 1; // whatever is on its way is outdated
    const act = button?.name === "act" ? button.value : "save";
    if (act === "save" || act === "update" || form.dataset.plain) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refresh(form, button, { isAct: true });
  },
  true,
);
