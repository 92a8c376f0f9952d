// Follows what others do: the calendar, and every part of a page with data-follow, are drawn again in place.
import { find } from "../dom.js";
import { addMissed, addNews, concerns } from "./changes.js";
import { Connection } from "./connection.js";
import { drawBlocks, drawParts, isDay, shownDay } from "./drawing.js";
import { markLost, say, words } from "./line.js";

const AT_MOST_EVERY = 1000;

/** @type {import("./drawing.js").Changes} */
let changed = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let drawing;
let drawnAt = 0;

/** Collects changes, and draws at most once a second. */
function draw() {
  drawing ??= setTimeout(drawNow, Math.max(0, drawnAt + AT_MOST_EVERY - Date.now()));
}

async function drawNow() {
  drawnAt = Date.now();
  const now = changed;
  changed = new Map();
  try {
    const waiting = await (isDay ? drawBlocks(now) : drawParts(now));
    for (const [order, change] of waiting) changed.set(order, change);
  } catch {
    addMissed(changed, now);
    connection.lose();
  }
  drawing = undefined;
  if (changed.size && connection.isWorking) draw();
}

/** Too much has happened to be sent. */
function drawAll() {
  if (!find("#cal")) drawParts(new Map());
  else if (find("dialog[open], .mine")) connection.end();
  else location.reload();
}

const connection = new Connection(Number(words.after), words.business ?? "", {
  hear({ type, data }) {
    if (type === "reset") drawAll();
    if (type !== "order") return;
    const news = JSON.parse(data);
    if (!news.own) document.dispatchEvent(new CustomEvent("frontdesk:news"));
    if (!concerns(news, shownDay)) return;
    addNews(changed, news);
    draw();
  },
  lost(since) {
    const time = since.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    say(words.lost?.replace("{time}", time));
    markLost(true);
  },
  found(wasLost) {
    if (wasLost) {
      markLost(false);
      say();
    }
    if (changed.size) draw();
  },
  ended: () => say(words.ended, location.href, words.reload),
});

document.addEventListener("frontdesk:redraw", (event) => {
  const { order } = /** @type {CustomEvent<{ order: string }>} */ (event).detail;
  changed.set(order, { own: true, type: "" });
  drawnAt = 0;
  draw();
});
document.addEventListener("frontdesk:drawn", () => changed.size && draw()); // a block was put down
document.addEventListener("frontdesk:ended", () => connection.end());
connection.keepOpen();
