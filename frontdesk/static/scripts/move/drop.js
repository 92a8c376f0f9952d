// Sends the move. The page moves the booking at once; if the server refuses, it goes back, and the side says why.
import { announce } from "../announce.js";
import { calendar, clockIn, instantIn } from "../calendar/grid.js";
import { utcText } from "../calendar/times.js";
import { parsePage } from "../pages.js";
import { carried, hint, isUnmoved, nameOf, putBack, release } from "./carried.js";
import { post, reasonIn } from "./post.js";
import { fieldsOf, forget } from "./preview.js";
import { clearSide, notice, showSide } from "./side.js";
import { offerUndo } from "./undo.js";

export async function drop() {
  if (!carried || isUnmoved(carried)) return putBack();
  const sent = fieldsOf(carried);
  const done = carried;
  const { order = "", version = "" } = done.block.dataset;
  forget();
  done.copy.classList.remove("refused");
  done.copy.setAttribute("aria-busy", "true");
  sent.set("version", version);
  const answer = await post(`/orders/${order}/move`, sent);
  if (carried !== done) return;
  if (answer?.type === "opaqueredirect") return settle(done, order, version);
  const page = answer && parsePage(await answer.text());
  putBack({ keepSide: Boolean(page) });
  if (page?.getElementById("move")) showSide(page, hint());
  const reason = reasonIn(page);
  if (reason) announce(reason);
}

/**
 * The copy is the booking now; the server's own block replaces it.
 * @param {import("./carried.js").Carried} done
 * @param {string} order
 * @param {string} version
 */
function settle({ block, copy, column, start, end, from }, order, version) {
  release();
  const told = notice();
  const undo = new URLSearchParams(told ? { notify: told } : {});
  if (version) undo.set("version", `${Number(version) + 1}`); // refused if anything has changed since
  block.remove();
  copy.classList.remove("mine", "accepted", "refused");
  copy.removeAttribute("aria-busy");
  const [starts, ends] = [start, end].map((minutes) => utcText(instantIn(column, minutes)));
  Object.assign(copy.dataset, { start: starts, end: ends, staff: column.dataset.staff, version: "" });
  clearSide();
  document.dispatchEvent(new CustomEvent("frontdesk:redraw", { detail: { order } }));
  const { moved = "", resized = "" } = calendar().dataset;
  const [first, last] = [clockIn(column, start), clockIn(column, end)];
  const isResized = column === from.column && start === from.start;
  const text = isResized
    ? resized.replace("{start}", first).replace("{end}", last)
    : moved.replace("{time}", first).replace("{name}", nameOf(column));
  offerUndo(order, text, undo);
}
