// The list of customers is searched while somebody types. Without this script the form is submitted.
"use strict";

const form = document.querySelector("form[data-live]");
let pending;
let latest = 0;

async function search() {
  const mine = ++latest;
  const fields = [...new FormData(form)].filter(([, value]) => value);
  const address = `${form.action}?${new URLSearchParams(fields)}`;
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (mine !== latest || !answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById(form.dataset.live);
  if (mine !== latest || !found) return;
  document.getElementById(form.dataset.live).replaceChildren(...found.childNodes);
  document.querySelector("svg.sprite").replaceWith(page.querySelector("svg.sprite"));
  for (const link of page.querySelectorAll("form[data-live] a")) {
    const own = [...form.querySelectorAll("a")][[...page.querySelectorAll("form[data-live] a")].indexOf(link)];
    if (own) own.href = link.getAttribute("href");
  }
  history.replaceState(null, "", address);
}

if (form) {
  form.addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(search, 150);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  document.querySelector('[aria-keyshortcuts="n"]')?.click();
});
