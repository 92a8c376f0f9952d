// Panels of applications: a frame loads once it is seen, says how tall it is, and is named as silent if it says nothing.
// An application sends `parent.postMessage({type: "frontdesk:height", height: 240}, "*")`.
import { findAll } from "./dom.js";

const WAIT = 10_000;
const TALLEST = 1200;

/**
 * The height that a message asks for, or null if it asks for none.
 * @param {unknown} data
 * @returns {number | null}
 */
export function askedHeight(data) {
  if (typeof data !== "object" || data === null) return null;
  const { type, height } = /** @type {{ type?: unknown, height?: unknown }} */ (data);
  if (type !== "frontdesk:height" || typeof height !== "number" || !Number.isFinite(height)) return null;
  return Math.min(Math.max(Math.ceil(height), 40), TALLEST);
}

/**
 * Loads the page of an application, once its messages are heard: a page may say its height while it loads.
 * @param {HTMLElement} panel
 */
function load(panel) {
  const frame = /** @type {HTMLIFrameElement} */ (panel.querySelector("iframe"));
  const silent = /** @type {HTMLElement} */ (panel.querySelector("[data-silent]"));
  let hasLoaded = false;
  frame.addEventListener("load", () => {
    hasLoaded = true;
    silent.hidden = true;
  });
  window.addEventListener("message", (event) => {
    const height = event.source === frame.contentWindow ? askedHeight(event.data) : null;
    if (height !== null) frame.style.blockSize = `${height}px`;
  });
  setTimeout(() => {
    silent.hidden = hasLoaded;
  }, WAIT);
  frame.src = frame.dataset.address ?? "";
}

for (const panel of typeof document === "undefined" ? [] : findAll(".application-panel")) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    load(panel);
  });
  observer.observe(panel);
}
