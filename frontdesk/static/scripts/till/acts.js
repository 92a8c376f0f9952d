// Acts are sent in the order in which they were made, each with what the one before has answered.
import { find, get } from "../dom.js";
import { released } from "../released.js";
import { dropDigits, fillMethod } from "./method-digits.js";
import { findTill, last, replacePage, till, typedText } from "./page.js";

/** @typedef {{ button: string, value?: string } | { finish: HTMLButtonElement }} Act */

/** @type {Act[]} */
const waiting = [];
let busy = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause; // before what is typed is sent

export const isBusy = () => busy;

const fields = () => {
  const data = new URLSearchParams(/** @type {any} */ (new FormData(till())));
  data.delete("find");
  return data;
};

/** @param {URL | Location} url */
const stepOf = (url) => new URLSearchParams(url.search).get("step") || "items";

/**
 * @param {Response} response
 * @param {string} [sent]
 */
async function show(response, sent) {
  const page = new URL(response.url);
  const text = await response.text();
  await released(findTill());
  const stays = page.pathname.startsWith("/till") && replacePage(text, sent);
  if (!stays) {
    waiting.length = 0;
    if (response.redirected) location.replace(page);
    else location.reload();
  } else if (response.redirected) {
    if (stepOf(page) === stepOf(location)) history.replaceState(null, "", page);
    else history.pushState(null, "", page);
  }
}

/**
 * @param {string} button
 * @param {string | undefined} value
 */
async function send(button, value) {
  const body = button === "find" ? new URLSearchParams(/** @type {any} */ (new FormData(till()))) : fields();
  if (value !== undefined) body.append(button, value);
  last.given = body.get("given");
  const typed = typedText();
  await show(await fetch("/till", { method: "POST", body }), typed?.value);
  if (button === "method") fillMethod();
}

/**
 * The same form may be sent again: the server takes one payment for it. The page may have been drawn again since the
 * button was pressed; if it has no such button any more, nothing is finished.
 * @param {HTMLButtonElement} pressed
 */
async function finish(pressed) {
  const action = pressed.getAttribute("formaction") ?? "";
  const same = pressed.id ? `#${CSS.escape(pressed.id)}` : "";
  const button = find(`${same}[formaction="${action}"]`, till());
  if (!button) return;
  button.setAttribute("aria-busy", "true");
  const body = fields();
  if (pressed.name) body.append(pressed.name, pressed.value);
  const typed = typedText();
  await show(await fetch(action, { method: "POST", body }), typed?.value);
}

/** The connection is lost: nothing was done, or sending it again leads to what was done. */
function announceLost() {
  find("#sale [aria-busy]")?.removeAttribute("aria-busy");
  if (find(".cut")) return;
  const note = Object.assign(document.createElement("p"), { className: "note bad cut" });
  note.setAttribute("role", "alert");
  note.textContent = till().dataset.lost ?? "";
  get("#cart").prepend(note);
}

/** @param {Act} act */
async function queue(act) {
  clearTimeout(pause); // what is typed goes along
  waiting.push(act);
  if (busy) return;
  busy = true;
  try {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if ("finish" in next) await finish(next.finish);
      else await send(next.button, next.value);
    }
  } catch {
    waiting.length = 0;
    dropDigits();
    announceLost();
  }
  busy = false;
}

/**
 * @param {string} button
 * @param {string} [value]
 */
export const press = (button, value) => queue({ button, value });

/** @param {HTMLButtonElement} button */
export const pressFinish = (button) => queue({ finish: button });

/**
 * What is typed is sent after a pause.
 * @param {string} field
 * @param {number} delay
 */
export function pressLater(field, delay) {
  clearTimeout(pause);
  pause = setTimeout(() => press(field), delay);
}
