// Adds a copy button to every code sample, if the browser supports the clipboard API.
"use strict";

function copyButton(sample) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn tiny";
  button.setAttribute("aria-live", "polite");
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(sample.textContent);
    } catch {
      return; // the browser refused: the label must not claim otherwise
    }
    button.textContent = "Copied";
  });
  for (const leaving of ["blur", "pointerleave"]) {
    button.addEventListener(leaving, () => (button.textContent = "Copy"));
  }
  return button;
}

if (navigator.clipboard) {
  for (const sample of document.querySelectorAll(".prose > pre")) {
    const frame = document.createElement("div");
    frame.className = "sample";
    sample.replaceWith(frame);
    frame.append(copyButton(sample), sample);
  }
}
