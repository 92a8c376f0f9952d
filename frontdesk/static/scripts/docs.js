// Adds a copy button to every code sample, if the browser supports the clipboard API; "/" goes to the search; the
// language of the samples is remembered.
import { around, find, findAll, findInputs, get } from "./dom.js";

const { copyWord = "", copiedWord = "" } = document.body.dataset;

/** @param {HTMLElement} sample */
function copyButton(sample) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "button button-bare button-small",
  });
  button.setAttribute("aria-live", "polite");
  button.textContent = copyWord;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(sample.textContent);
    } catch {
      return; // the browser refused: the label must not claim otherwise
    }
    button.textContent = copiedWord;
  });
  for (const leaving of ["blur", "pointerleave"]) {
    button.addEventListener(leaving, () => {
      button.textContent = copyWord;
    });
  }
  return button;
}

if (navigator.clipboard) {
  for (const sample of findAll(".code")) get("figcaption", sample).append(copyButton(get("pre", sample)));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || around(event, "input, textarea, select")) return;
  event.preventDefault();
  find(".find input")?.focus();
});

const LANGUAGE = "sample-language";
const languages = findInputs("[name=language]");
const remembered = localStorage.getItem(LANGUAGE);
for (const choice of languages) {
  if (choice.value === remembered) choice.checked = true;
  choice.addEventListener("change", () => localStorage.setItem(LANGUAGE, choice.value));
}
