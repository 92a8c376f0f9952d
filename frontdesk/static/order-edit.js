// Shows what follows while the lines of an order are changed. Without it the button Update does the same.
"use strict";

let latest = 0;
let released = Promise.resolve(); // when no button is being pressed: a replaced one would lose its click

document.addEventListener("pointerdown", () => {
  released = new Promise((resolve) => {
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, () => setTimeout(resolve), { once: true });
    }
  });
});

function body(form, submitter) {
  return new URLSearchParams(new FormData(form, submitter)).toString();
}

function sendPlainly(form, submitter) {
  form.dataset.plain = "yes";
  form.requestSubmit(submitter);
}

async function refresh(form, submitter, isAct = false) {
  const sent = ++latest;
  const asked = body(form, submitter);
  let response;
  try {
    response = await fetch(form.action, { method: "POST", body: new URLSearchParams(asked), redirect: "manual" });
  } catch {
    return sendPlainly(form, submitter);
  }
  if (sent !== latest) return;
  if (!response.headers.get("content-type")?.startsWith("text/html")) return sendPlainly(form, submitter);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("edit");
  if (!fresh) return location.reload();
  await released;
  // What was typed meanwhile stays; its own change asks again.
  if (sent !== latest || (!isAct && body(form, submitter) !== asked)) return;
  const focused = document.activeElement?.name;
  const place = focused ? [...form.querySelectorAll(`[name="${focused}"]`)].indexOf(document.activeElement) : -1;
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
    if (event.target.id !== "edit") return;
    latest += 1; // whatever is on its way is outdated
    if (act === "save" || act === "update" || event.target.dataset.plain) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refresh(event.target, event.submitter, true);
  },
  true,
);
