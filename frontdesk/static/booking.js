// A new booking shows what is free while services are chosen. On the calendar it opens in a sheet beside the day.
// Without this script the form is a page of its own, and its buttons show it again.
"use strict";

(() => {
  let latest = 0;
  let pending;
  let isBooking = false;

  const holder = () => document.getElementById("new-booking");
  const bookingForm = () => document.getElementById("booking-form");

  const symbols = new Map();

  function takeSymbols(page) {
    for (const symbol of page.querySelectorAll("svg.sprite symbol")) symbols.set(symbol.id, document.importNode(symbol, true));
    keepSymbols();
  }

  function keepSymbols() {
    const sprite = document.querySelector("svg.sprite");
    for (const [id, symbol] of symbols) if (!document.getElementById(id)) sprite.append(symbol);
  }

  function prepare() {
    for (const element of holder().querySelectorAll("[data-noscript]")) element.hidden = true;
    drawBooking();
  }

  // Puts the new form in place of the old one; what has the focus keeps it, with what was typed meanwhile.
  function swap(page) {
    const fresh = page.getElementById("new-booking");
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
    if (!event.target.matches("#new-booking input[data-live]:not([type=date])")) return;
    clearTimeout(pending);
    pending = setTimeout(send, 200);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("#new-booking select[data-live], #new-booking [type=date][data-live]")) send();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("#new-booking .combo")) chooseFound(event);
  });

  // Another user has booked or moved something: what is free is shown again, and what was typed stays.
  document.addEventListener("frontdesk:changed", () => {
    if (!holder() || isBooking) return;
    clearTimeout(pending);
    pending = setTimeout(send, 300);
  });

  // The calendar: the form in a sheet beside the day, the booking drawn where it will be, and who could have a free time.
  const day = () => document.getElementById("cal"); // live updates may replace it
  let opener = null;
  let sheet = null;

  function place(column, start, end) {
    const midnight = Date.parse(column.dataset.midnight ?? day().dataset.midnight);
    const minute = (moment, round) => round((Date.parse(moment) - midnight) / 300000) * 5;
    const part = (hour, rest, at) => (at % 60 ? `${hour}${Math.floor(at / 60)} ${rest}${at % 60}` : `${hour}${at / 60}`);
    return `slot ${part("h", "m", minute(start, Math.floor))} ${part("e", "f", minute(end, Math.ceil))}`;
  }

  // A column is a provider's day, with the night after it: of the day that is shown, or of one of the week.
  function columnOf(staff, start) {
    const style = getComputedStyle(day()), first = Number(style.getPropertyValue("--o"));
    const hour = (column) => (Date.parse(start) - Date.parse(column.dataset.midnight ?? day().dataset.midnight)) / 3600000;
    const columns = [...day().querySelectorAll(`.col[data-staff="${CSS.escape(staff)}"]`)];
    return columns.find((column) => hour(column) >= first && hour(column) < first + Number(style.getPropertyValue("--hrs")));
  }

  // As the blocks of the calendar: a short one has its start beside the name, a long one has its times below.
  function drawBlock(staff, start, end, name, service, time) {
    const column = columnOf(staff, start);
    if (!column || !end) return;
    const block = document.createElement("div");
    block.className = `${place(column, start, end)} bk mine new`;
    block.setAttribute("aria-hidden", "true");
    Object.assign(block.dataset, { staff, order: "" });
    const minutes = (Date.parse(end) - Date.parse(start)) / 60000;
    const write = (tag, text) => block.append(Object.assign(document.createElement(tag), { textContent: text }));
    write("b", name);
    if (minutes < 90) write("time", time.split("–")[0]);
    if (minutes >= 45 && service) write("span", service);
    if (minutes >= 90) write("time", time);
    column.append(block);
  }

  function drawBooking() {
    if (!day()) return;
    for (const old of day().querySelectorAll(".bk.mine.new")) old.remove();
    const form = bookingForm();
    if (!form) return;
    const lines = [...form.querySelectorAll(".svc-line[data-start]")];
    for (const line of lines) {
      const time = line.querySelector("time")?.textContent ?? "";
      drawBlock(line.dataset.staff, line.dataset.start, line.dataset.end, form.dataset.word, line.getAttribute("aria-label"), time);
    }
    if (!lines.length && form.dataset.start && form.elements.staff.value) {
      const end = new Date(Date.parse(form.dataset.start) + Math.max(Number(day().dataset.grid), 30) * 60000);
      drawBlock(form.elements.staff.value, form.dataset.start, end.toISOString(), form.dataset.word, "", form.elements.time.value);
    }
  }

  async function openSheet(link) {
    const answer = await fetch(link.href, { headers: { accept: "text/html" } });
    const side = document.getElementById("side");
    if (!answer.ok || answer.redirected || !side) return location.assign(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!holder()) {
      opener = link;
      sheet = document.createElement("dialog");
      sheet.className = "sheet";
      sheet.id = "new-booking";
      sheet.setAttribute("aria-labelledby", "booking-h");
      side.prepend(sheet);
      side.parentElement.classList.add("booking");
      sheet.show();
    }
    if (!swap(page)) return location.assign(link.href);
    (document.getElementById("f-find") ?? document.getElementById("f-add_service"))?.focus();
    return holder();
  }

  function closeSheet() {
    if (!sheet) return;
    clearTimeout(pending);
    latest += 1;
    document.getElementById("side").parentElement.classList.remove("booking");
    sheet.remove();
    sheet = null;
    drawBooking();
    (opener?.isConnected ? opener : day())?.focus();
  }

  async function loadPanel() {
    const panel = document.getElementById("waiting");
    if (!panel?.dataset.panel) return;
    const answer = await fetch(panel.dataset.panel, { headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("waiting");
    if (!fresh || !panel.isConnected) return;
    takeSymbols(page);
    fresh.dataset.loaded = "yes";
    panel.replaceWith(fresh);
    if (!day()) return;
    for (const old of day().querySelectorAll(".pickup.waits")) old.remove();
    for (const entry of fresh.querySelectorAll("li[data-offer]")) {
      const link = document.createElement("a");
      link.href = entry.dataset.offer;
      link.textContent = entry.dataset.text;
      const column = columnOf(entry.dataset.staff, entry.dataset.start);
      if (!column) continue;
      link.className = `${place(column, entry.dataset.start, entry.dataset.end)} pickup waits`;
      column.append(link);
    }
  }

  if (day() && document.getElementById("side")) {
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]");
      if (sheet && link?.matches("#new-booking [data-close]")) {
        event.preventDefault();
        closeSheet();
        return;
      }
      if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (new URL(link.href).pathname !== "/calendar/new") return;
      event.preventDefault();
      openSheet(link);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && sheet && !event.defaultPrevented) closeSheet();
    });
    // A change by others may have taken the time that is chosen, or freed one for the waiting list.
    document.addEventListener("frontdesk:changed", () => {
      if (bookingForm() && !isBooking && !pending) pending = setTimeout(send, 300);
      loadPanel();
    });
    // The side is replaced when a booking is selected. What is being written stays.
    new MutationObserver(() => {
      if (sheet && !sheet.isConnected) {
        document.getElementById("side").prepend(sheet);
        keepSymbols();
      }
      drawBooking();
      if (document.querySelector("#waiting[data-panel]:not([data-loaded])")) loadPanel();
    }).observe(document.getElementById("side").parentElement, { childList: true });
    loadPanel();
  } else if (document.querySelector("#waiting[data-panel]")) {
    document.addEventListener("frontdesk:changed", loadPanel);
    loadPanel();
  }

  if (holder()) prepare();
})();
