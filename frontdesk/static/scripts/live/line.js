// The line that says what others have done, or that the connection is lost.
import { around, find } from "../dom.js";
import { elementOf, ring } from "./elements.js";

const line = () => find("p.live[data-after]"); // other scripts may replace it
export const words = { ...line()?.dataset };
/** @type {Record<string, string>} */
const ACTS = { "order.created": "created", "order.rescheduled": "moved" };

/** @type {Set<string>} */
let announced = new Set();

export function say(text = "", href = "", label = "") {
  const shown = line();
  if (!shown) return;
  shown.textContent = text;
  if (href) shown.append(" ", Object.assign(document.createElement("a"), { href, textContent: label }));
}

/** @param {boolean} isLost */
export const markLost = (isLost) => line()?.classList.toggle("lost", isLost);

/**
 * The last change of others, or how many there are since the last look.
 * @param {string} order
 * @param {Element | undefined} element
 * @param {import("./changes.js").Change} change
 * @param {boolean} isHere
 */
export function tell(order, element, { type }, isHere) {
  announced.add(order);
  const show = isHere ? "#show" : "";
  if (announced.size > 1) return say(words.many?.replace("{n}", `${announced.size}`), show, words.show);
  if (!element) return;
  const isCanceled = element.matches(".status-canceled, .off");
  const act = isCanceled ? words.canceled : (words[ACTS[type] ?? ""] ?? words.other);
  say("", show, words.show);
  const starts = /** @type {HTMLElement} */ (element).dataset.start ? find("time", element)?.textContent : "";
  const time = Object.assign(document.createElement("b"), { textContent: starts?.split("–")[0] ?? "" });
  const name = find("b, bdi, .rowlink", element)?.textContent ?? "";
  const who = Object.assign(document.createElement("bdi"), { textContent: name });
  line()?.prepend(time, " ", who, `${words.comma}${act} `);
}

/** @param {MouseEvent} event */
function showAnnounced(event) {
  if (!around(event, "p.live a[href='#show']")) return;
  event.preventDefault();
  const shown = [...announced].map(elementOf).filter((element) => element !== null);
  announced = new Set();
  say();
  for (const element of shown) ring(element);
  const [first] = shown;
  if (!first) return;
  first.scrollIntoView({ block: "nearest", inline: "nearest" });
  (first.matches("a") ? first : find("a", first))?.focus({ preventScroll: true });
}

document.addEventListener("click", showAnnounced);
