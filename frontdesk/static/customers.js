// The list of customers is searched while the user types. Without this script the form is submitted.
"use strict";

const form = document.querySelector("form[data-live]");
let pending;
let latest = 0;

async function search() {
  const mine = ++latest;
  const fields = [...new FormData(form)].filter(([, value]) => value);
  const address = `${form.action}?${new URLSearchParams(fields)}`;
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== latest) return; // the user has typed on
  replace(page, `#${form.dataset.live}`);
  replace(page, "svg.sprite");
  replace(page, "form[data-live] nav");
  showAway();
  replace(page, ".head a[href^='/export/']");
  history.replaceState(null, "", address);
}

function replace(page, selector) {
  const fresh = page.querySelector(selector);
  fresh?.querySelector("[autofocus]")?.removeAttribute("autofocus");
  if (fresh) document.querySelector(selector)?.replaceWith(fresh);
}

form.addEventListener("input", () => {
  clearTimeout(pending);
  pending = setTimeout(search, 150);
});

// What takes longer to count follows the page. A provider has no counts.
let away;

function showAway() {
  if (away) document.querySelector("form[data-live] nav a[href*='show=away']")?.append(" ", away);
}

async function showCounts() {
  const answer = await fetch("/customers/counts", { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  away = page.getElementById("away");
  showAway();
  const twice = page.getElementById("twice");
  if (twice) document.getElementById(form.dataset.live).before(twice);
}

if (form.querySelector("nav")) showCounts();
