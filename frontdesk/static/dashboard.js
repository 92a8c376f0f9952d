// Progressive enhancement: every page works without it.
"use strict";

function announce(text) {
  const region = document.querySelector(".toasts");
  if (!region) return;
  const message = document.createElement("p");
  message.className = "sr";
  message.textContent = text;
  region.append(message);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
    return;
  }
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return;
  }
  button.querySelector("span").textContent = button.dataset.copied;
  announce(button.dataset.copied);
});

document.addEventListener("keydown", (event) => {
  const search = document.querySelector("main [type=search]");
  if (event.key === "/" && search && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    search.focus();
  }
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Prevents double submission.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  if (event.submitter) event.submitter.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const busy of form.querySelectorAll("[aria-busy]")) busy.removeAttribute("aria-busy");
  }
});
