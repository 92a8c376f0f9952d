// A new booking shows what is free while somebody chooses. On the calendar it opens in a sheet beside the day.
// Without this script the form is a page of its own, and its buttons show it again.
"use strict";

(() => {
  let latest = 0;
  let pending;
  let isBooking = false;

  const holder = () => document.getElementById("booking");
  const bookingForm = () => document.getElementById("booking-form");

  function takeSymbols(page) {
    const sprite = document.querySelector("svg.sprite");
    for (const symbol of page.querySelectorAll("svg.sprite symbol")) {
      if (!document.getElementById(symbol.id)) sprite.append(document.importNode(symbol, true));
    }
  }

  function prepare() {
    for (const element of holder().querySelectorAll("[data-noscript]")) element.hidden = true;
    holder().dispatchEvent(new CustomEvent("booking:shown", { bubbles: true }));
  }

  // Puts the new form in place of the old one; what has the focus keeps it, with what was typed meanwhile.
  function swap(page) {
    const fresh = page.getElementById("booking");
    if (!fresh) return false;
    const old = holder();
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const opened = [...old.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
    const scrolled = bookingForm()?.scrollTop ?? 0;
    takeSymbols(page);
    const heading = fresh.querySelector("h1");
    if (old.tagName === "DIALOG") {
      const smaller = document.createElement("h2");
      smaller.id = heading.id;
      smaller.append(...heading.childNodes);
      heading.replaceWith(smaller);
    }
    const kept = active?.id && "value" in active && active.type !== "hidden" ? [active.id, active.value, active.selectionStart] : null;
    old.replaceChildren(...fresh.childNodes);
    for (const summary of old.querySelectorAll("details > summary")) {
      if (opened.includes(summary.textContent)) summary.parentElement.open = true;
    }
    bookingForm().scrollTop = scrolled;
    const again = kept && document.getElementById(kept[0]);
    if (again) {
      if (again.tagName === "INPUT" || again.tagName === "TEXTAREA") again.value = kept[1];
      again.focus({ preventScroll: true });
      if (typeof kept[2] === "number") again.setSelectionRange(kept[2], kept[2]);
    } else if (active) {
      (old.querySelector("[aria-invalid=true]") ?? old.querySelector("#f-find, #f-first_name, #f-add_service"))?.focus();
    }
    prepare();
    return true;
  }

  // Sends the form as the button would, and shows the answer.
  async function send(button) {
    clearTimeout(pending);
    pending = undefined;
    const form = bookingForm();
    const mine = ++latest;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("act", button?.value ?? "show");
    isBooking = button?.value === "book";
    if (isBooking) button.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields, headers: { accept: "text/html" } });
      if (isBooking && answer.redirected) {
        location.assign(answer.url);
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine === latest && !swap(page)) location.assign(answer.url);
    } finally {
      if (mine === latest) isBooking = false;
      button?.removeAttribute("aria-busy");
    }
  }

  function chooseFound(event) {
    const buttons = [...holder().querySelectorAll(".found button")];
    const at = buttons.indexOf(document.activeElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (buttons[Math.min(next, buttons.length - 1)] ?? document.getElementById("f-find"))?.focus();
    } else if (event.key === "Enter" && event.target.id === "f-find") {
      if (pending) send();
      else buttons[0]?.click();
    } else return;
    event.preventDefault();
  }

  document.addEventListener("submit", (event) => {
    if (event.target !== bookingForm() || event.submitter?.formAction.includes("/series")) return;
    event.preventDefault();
    if (!isBooking) send(event.submitter);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches("#booking input[data-live]:not([type=date])")) return;
    clearTimeout(pending);
    pending = setTimeout(send, 200);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("#booking select[data-live], #booking [type=date][data-live]")) send();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("#booking .combo")) chooseFound(event);
  });

  // Somebody else has booked or moved something: what is free is shown again, and what was typed stays.
  document.addEventListener("frontdesk:changed", () => {
    if (!holder() || isBooking) return;
    clearTimeout(pending);
    pending = setTimeout(send, 300);
  });

  if (holder()) prepare();
})();
