// Buttons that copy a text. Browsers have a clipboard on https and on this machine only.
import { announce } from "./announce.js";
import { around, findAll, get } from "./dom.js";

if (navigator.clipboard) for (const button of findAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const button = around(event, "[data-copy]");
  if (!button) return;
  const { copy = "", copied = "" } = button.dataset;
  const source = get(`#${CSS.escape(copy)}`);
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection()?.selectAllChildren(source);
    return;
  }
  get("span", button).textContent = copied;
  announce(copied);
});
