// Says where a moved booking is now, with a button that takes the move back.
import { calendar } from "../calendar/grid.js";
import { select } from "../calendar/select.js";
import { find, get } from "../dom.js";
import { parsePage } from "../pages.js";
import { carried } from "./carried.js";
import { post, reasonIn } from "./post.js";

const OFFERED_FOR = 20_000;

/**
 * @param {string} order
 * @param {string} text
 * @param {URLSearchParams} fields
 */
export async function offerUndo(order, text, fields) {
  const side = await showMoved(order);
  const note = Object.assign(document.createElement("p"), { className: "note", textContent: text });
  if (side && find("#booking[data-series]", side)) note.textContent += ` ${calendar().dataset.alone}`;
  const seen = side && find("#booking", side)?.dataset.version;
  if (seen && !fields.has("version")) fields.set("version", seen);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-small" });
  button.textContent = calendar().dataset.undo ?? "";
  button.addEventListener("click", () => undo(order, fields, note), { once: true });
  note.append(" ", button);
  get(".toasts").replaceChildren(note);
  setTimeout(() => button.matches(":focus") || note.remove(), OFFERED_FOR);
}

/**
 * The moved booking stays selected at the side.
 * @param {string} order
 */
function showMoved(order) {
  const address = new URL(location.href);
  address.searchParams.set("order", order);
  const isWanted = () => !carried && !document.getElementById("move");
  return select(address.href, { push: address.href !== location.href, isWanted }).catch(() => null);
}

/**
 * The server knows what the move has replaced.
 * @param {string} order
 * @param {URLSearchParams} fields
 * @param {HTMLElement} note
 */
async function undo(order, fields, note) {
  const answer = await post(`/orders/${order}/move/undo`, fields);
  const isDone = answer?.type === "opaqueredirect";
  note.classList.toggle("bad", !isDone);
  note.textContent = isDone ? (calendar().dataset.undone ?? "") : reasonIn(answer && parsePage(await answer.text()));
  document.dispatchEvent(new CustomEvent("frontdesk:redraw", { detail: { order } }));
  if (isDone && !carried) select(location.href, { push: false, isWanted: () => !carried }).catch(() => null);
}
