// Adds a copy button to every code sample, if the browser supports the clipboard API; "/" goes to the search.
"use strict";

const { copyWord, copiedWord } = document.body.dataset;

function copyButton(sample) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn bare tiny";
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
    button.addEventListener(leaving, () => (button.textContent = copyWord));
  }
  return button;
}

if (navigator.clipboard) {
  for (const sample of document.querySelectorAll(".code")) {
    sample.querySelector("figcaption").append(copyButton(sample.querySelector("pre")));
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  document.querySelector(".find input").focus();
});
