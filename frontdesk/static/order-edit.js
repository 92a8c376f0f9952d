// Shows what follows while the lines of an order are changed. Without it the button Update does the same.
"use strict";

let latest = 0;

function sendPlainly(form, submitter) {
  form.dataset.plain = "yes";
  form.requestSubmit(submitter);
}

async function refresh(form, submitter) {
  const sent = ++latest;
  const data = new FormData(form, submitter);
  const focused = document.activeElement?.name;
  const place = focused ? [...form.querySelectorAll(`[name="${focused}"]`)].indexOf(document.activeElement) : -1;
  let response;
  try {
    response = await fetch(form.action, { method: "POST", body: new URLSearchParams(data), redirect: "manual" });
  } catch {
    return sendPlainly(form, submitter);
  }
  if (sent !== latest) return;
  if (!response.headers.get("content-type")?.startsWith("text/html")) return sendPlainly(form, submitter);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("edit");
  if (!fresh) return location.reload();
  document.querySelector("svg.sprite")?.replaceWith(page.querySelector("svg.sprite"));
  form.replaceWith(fresh);
  if (place >= 0) fresh.querySelectorAll(`[name="${focused}"]`)[place]?.focus();
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("#edit");
  if (form && event.target.name !== "note") refresh(form, form.querySelector("[value=update]"));
});

document.addEventListener(
  "submit",
  (event) => {
    const act = event.submitter?.name === "act" ? event.submitter.value : "save";
    if (event.target.id !== "edit" || act === "save" || act === "update" || event.target.dataset.plain) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refresh(event.target, event.submitter);
  },
  true,
);
