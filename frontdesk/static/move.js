// Moves a booking of the calendar by dragging or by keys; /orders/{id}/move does the same without it.
// The page moves it at once. If the server refuses, it goes back, and the side says why.
"use strict";

{
  const calendar = document.getElementById("cal");
  const MINUTE = 60000, EDGE = 6, FAR = 5, STEP = 15, CHECK_AFTER = 200;
  const grid = Number(calendar.dataset.grid);
  const isWeek = calendar.matches(".wk7"); // columns are days, drawn by the time of day
  const UNDO_FOR = 20000;
  const columns = () => [...calendar.querySelectorAll(".col[data-staff]")];
  let carried = null, checking = null, asked = 0, dragged = false;

  const canMove = (block) => block && !block.matches(".st-completed, .st-canceled, .st-draft, .mine, .ghosted");
  const midnightOf = (column) => Date.parse(column?.dataset.midnight ?? calendar.dataset.midnight);
  const minuteOf = (text, column) => (isWeek ? wallMinute(Date.parse(text), column) : (Date.parse(text) - midnightOf(column)) / MINUTE);
  const dateOf = (column, minute) => new Date(Date.parse(column.dataset.date) + Math.floor(minute / 1440) * 86400000).toISOString().slice(0, 10);
  const staffName = (column) => column.previousElementSibling?.querySelector("b")?.textContent ?? "";

  const local = (moment) => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: calendar.dataset.zone }).format(moment);

  function wallMinute(moment, column) {
    const [date, time] = local(moment).split(" ");
    const [hours, minutes] = time.split(":").map(Number);
    return hours * 60 + minutes + (date > column.dataset.date ? 1440 : 0);
  }

  function instant(minute, column) {
    let moment = midnightOf(column) + minute * MINUTE;
    if (isWeek) moment += (minute - wallMinute(moment, column)) * MINUTE; // the clocks change on this day
    return `${new Date(moment).toISOString().slice(0, 19)}Z`;
  }

  function clock(minute) {
    const zone = isWeek ? "" : calendar.dataset.zone;
    if (!zone) return `${String(Math.floor(minute / 60) % 24).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
    const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone };
    return new Intl.DateTimeFormat("en-GB", parts).format(new Date(midnightOf() + minute * MINUTE));
  }

  // The old place stays as a ghost; a copy is carried.
  function pickUp(block) {
    const copy = block.cloneNode(true);
    copy.removeAttribute("aria-current");
    copy.classList.add("mine");
    block.classList.add("ghosted");
    const column = block.closest(".col"), start = minuteOf(block.dataset.start, column);
    const end = start + (Date.parse(block.dataset.end) - Date.parse(block.dataset.start)) / MINUTE;
    carried = { block, copy, column, start, end, from: { start, end, column } };
    carried.column.append(copy);
  }

  function place() {
    const { copy, column, start, end } = carried;
    const [first, last] = [Math.floor(start / 5) * 5, Math.ceil(end / 5) * 5];
    const kept = [...copy.classList].filter((name) => !/^[hmef]\d+$/.test(name) && name !== "yes" && name !== "no");
    const part = (hour, minute, at) => [`${hour}${Math.floor(at / 60)}`, ...(at % 60 ? [`${minute}${at % 60}`] : [])];
    copy.className = [...kept, ...part("h", "m", first), ...part("e", "f", last)].join(" ");
    const time = copy.querySelector("time");
    if (time) time.textContent = time.matches(".ltr") ? `${clock(start)}–${clock(end)}` : clock(start);
    if (copy.parentElement !== column) column.append(copy);
    clearTimeout(checking);
    checking = setTimeout(check, CHECK_AFTER);
  }

  function moveTo(column, start, end) {
    const first = Number(getComputedStyle(calendar).getPropertyValue("--o")) * 60;
    if (!column || start < first || end <= start) return false;
    if (column === carried.column && start === carried.start && end === carried.end) return false;
    Object.assign(carried, { column, start, end });
    place();
    return true;
  }

  const noticeBox = () => document.querySelector("#move input[type=checkbox][name=notify]");

  const isUnmoved = () => {
    const { column, start, end, from } = carried;
    return column === from.column && start === from.start && end === from.end;
  };

  function fields() {
    const { block, column, start, end, from } = carried;
    const sent = { from: block.dataset.start };
    const to = isWeek ? { date: dateOf(column, start), time: clock(start) } : { start: instant(start, column) };
    if (!isUnmoved()) Object.assign(sent, { ...to, staff: column.dataset.staff });
    if (end - start !== from.end - from.start) sent.minutes = end - start;
    const box = noticeBox();
    if (box) sent.notify = box.checked ? "yes" : "no";
    return { order: block.dataset.order, version: block.dataset.version, sent };
  }

  // The side shows From, To and every rule, and the block whether it may go there.
  async function check() {
    if (!carried) return;
    const { order, sent } = fields();
    const mine = ++asked;
    const answer = await fetch(`/orders/${order}/move?${new URLSearchParams(sent)}`, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer?.ok || answer.redirected || mine !== asked || !carried) return;
    const page = parse(await answer.text());
    if (!carried || mine !== asked) return;
    showSide(page);
    const reason = page.querySelector("#move .checks .no");
    carried.copy.classList.toggle("no", Boolean(reason));
    carried.copy.classList.toggle("yes", !reason && !isUnmoved());
    const text = carried.copy.querySelector("span");
    if (reason && text) text.textContent = reason.textContent;
  }

  const parse = (text) => new DOMParser().parseFromString(text, "text/html");

  function showSide(page) {
    const side = calendar.parentElement.querySelector("aside");
    const section = page.getElementById("move");
    if (!side || !section) return;
    if (!side.dataset.kept) {
      side.dataset.kept = "yes";
      for (const child of side.children) child.hidden = true;
    }
    side.querySelector("#move")?.remove();
    const shown = document.importNode(section, true);
    if (carried) shown.append(Object.assign(document.createElement("p"), { className: "pad help", textContent: calendar.dataset.hint }));
    side.prepend(shown);
    const used = page.querySelector("svg.sprite"), sprite = document.querySelector("svg.sprite");
    for (const symbol of used?.children ?? []) if (!sprite.querySelector(`#${symbol.id}`)) sprite.append(document.importNode(symbol, true));
  }

  function clearSide() {
    const side = calendar.parentElement.querySelector("aside[data-kept]");
    if (!side) return;
    side.querySelector("#move")?.remove();
    delete side.dataset.kept;
    for (const child of side.children) child.hidden = false;
  }

  function putBack({ keepSide = false } = {}) {
    if (!carried) return;
    const { block, copy } = carried;
    carried = null;
    asked += 1;
    clearTimeout(checking);
    const focused = copy.contains(document.activeElement);
    copy.remove();
    block.classList.remove("ghosted");
    if (focused) block.focus({ preventScroll: true });
    if (!keepSide) clearSide();
    document.dispatchEvent(new CustomEvent("frontdesk:drawn"));
  }

  async function drop() {
    if (!carried || isUnmoved()) return putBack();
    const { order, version, sent } = fields();
    const done = carried;
    clearTimeout(checking);
    asked += 1;
    done.copy.classList.remove("no");
    done.copy.setAttribute("aria-busy", "true");
    const token = document.querySelector("input[name=form_token]").value;
    const body = new URLSearchParams({ ...sent, version, form_token: token });
    const answer = await fetch(`/orders/${order}/move`, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (carried !== done) return;
    if (answer?.type === "opaqueredirect") return settle(done, order, version);
    const page = answer && parse(await answer.text());
    putBack({ keepSide: Boolean(page) });
    if (page?.getElementById("move")) showSide(page);
    if (reasonIn(page)) announce(reasonIn(page));
  }

  const reasonIn = (page) => page?.querySelector("#move .note, #move .checks .no, main .note")?.textContent.trim() ?? calendar.dataset.offline ?? "";

  // The copy is the booking now; the server's own block replaces it.
  function settle({ block, copy, column, start, end, from }, order, version) {
    carried = null;
    const back = { from: instant(start, column), start: block.dataset.start, staff: from.column.dataset.staff };
    if (end - start !== from.end - from.start) back.minutes = from.end - from.start;
    if (version) back.version = Number(version) + 1; // refused if anything has changed since
    if (noticeBox()) back.notify = noticeBox().checked ? "yes" : "no";
    block.remove();
    copy.classList.remove("mine", "yes", "no");
    copy.removeAttribute("aria-busy");
    Object.assign(copy.dataset, { start: instant(start, column), end: instant(end, column), staff: column.dataset.staff, version: "" });
    clearSide();
    document.dispatchEvent(new CustomEvent("frontdesk:redraw", { detail: { order } }));
    const { moved, resized } = calendar.dataset;
    const isResized = column === from.column && start === from.start;
    const text = isResized
      ? resized.replace("{start}", clock(start)).replace("{end}", clock(end))
      : moved.replace("{time}", clock(start)).replace("{name}", staffName(column));
    tell(order, text, back);
  }

  // Says where it is now, and keeps it selected at the side.
  async function tell(order, text, back) {
    const address = new URL(location);
    address.searchParams.set("order", order);
    const isFree = () => !carried && !document.getElementById("move");
    const side = await select(address.href, address.href !== location.href, isFree).catch(() => null);
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = text;
    if (side?.querySelector("#booking[data-series]")) note.textContent += ` ${calendar.dataset.alone}`;
    back.version ??= side?.querySelector("#booking")?.dataset.version;
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "btn tiny";
    undo.textContent = calendar.dataset.undo;
    undo.addEventListener("click", () => moveBack(order, back, note), { once: true });
    note.append(" ", undo);
    document.querySelector(".toasts").replaceChildren(note);
    setTimeout(() => undo.matches(":focus") || note.remove(), UNDO_FOR);
  }

  // The same act in the other direction.
  async function moveBack(order, back, note) {
    const token = document.querySelector("input[name=form_token]").value;
    const body = new URLSearchParams({ ...back, form_token: token });
    const answer = await fetch(`/orders/${order}/move`, { method: "POST", body, redirect: "manual" }).catch(() => null);
    const isDone = answer?.type === "opaqueredirect";
    note.classList.toggle("bad", !isDone);
    note.textContent = isDone ? calendar.dataset.undone : reasonIn(answer && parse(await answer.text()));
    document.dispatchEvent(new CustomEvent("frontdesk:redraw", { detail: { order } }));
    if (isDone && !carried) select(location.href, false, () => !carried).catch(() => null);
  }

  // Dragging, with a mouse or a pen. A finger scrolls; it drags what the button Move has picked up, and on a phone
  // there is the form.
  calendar.addEventListener("dragstart", (event) => event.target.closest(".bk") && event.preventDefault());
  calendar.addEventListener("pointermove", (event) => {
    const block = event.target.closest("a.bk");
    if (block && !carried) block.classList.toggle("edge", canMove(block) && isEdge(block, event));
  });
  calendar.addEventListener("pointerdown", (event) => {
    const block = event.target.closest("a.bk");
    dragged = false;
    const isCarried = Boolean(carried) && block === carried.copy;
    if (event.button || !(isCarried || (!carried && event.pointerType !== "touch" && canMove(block)))) return;
    const began = { x: event.clientX, y: event.clientY };
    const resizes = !isCarried && isEdge(block, event);
    let base = isCarried ? { ...carried } : null;
    const stop = new AbortController();
    const listen = (name, act) => addEventListener(name, act, { signal: stop.signal });
    listen("pointermove", (moved) => {
      if (!carried && Math.hypot(moved.clientX - began.x, moved.clientY - began.y) < FAR) return;
      if (!carried) pickUp(block);
      base ??= { ...carried };
      dragged = true;
      follow(moved, began, base, resizes);
    });
    listen("pointerup", (left) => {
      stop.abort();
      if (isCarried) return; // the side has the button
      const isInside = document.elementFromPoint(left.clientX, left.clientY)?.closest("#cal .col");
      if (dragged && isInside) drop();
      else if (dragged) putBack();
    });
    for (const name of ["pointercancel", "blur"]) listen(name, () => (stop.abort(), putBack()));
    listen("keydown", (pressed) => pressed.key === "Escape" && (stop.abort(), putBack()));
  });
  calendar.addEventListener("click", (event) => {
    if (!(dragged && event.target.closest(".bk")) && !event.target.closest(".bk.mine")) return;
    dragged = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });

  const isEdge = (block, event) => block.getBoundingClientRect().bottom - event.clientY <= EDGE;

  function follow(event, began, from, resizes) {
    const { column } = carried;
    const perMinute = column.getBoundingClientRect().height / (Number(getComputedStyle(calendar).getPropertyValue("--hrs")) * 60);
    const by = Math.round((event.clientY - began.y) / perMinute / grid) * grid;
    if (resizes) return moveTo(column, from.start, Math.max(from.start + 5, from.end + by));
    const over = columns().find((one) => {
      const box = one.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX < box.right;
    });
    const start = Math.round((from.start + by) / grid) * grid;
    moveTo(over ?? column, by ? start : from.start, (by ? start : from.start) + from.end - from.start);
  }

  // Keys: M picks the focused booking up, arrows carry it (with Shift they make it longer or shorter), Enter drops it.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const block = event.target.closest?.("a.bk");
    if (!carried) {
      if (event.key.toLowerCase() !== "m" || !canMove(block) || !calendar.contains(block)) return;
      pickUp(block);
      carried.copy.focus({ preventScroll: true });
      place();
      return event.preventDefault();
    }
    if (carry(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, { capture: true });

  function carry(event) {
    const { column, start, end } = carried;
    if (event.key === "Escape") return putBack(), true;
    if (event.key === "Enter") return carried.copy.matches(".no") || drop(), true;
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key], side = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!down && !side) return false;
    if (down && event.shiftKey) moveTo(column, start, end + down * grid);
    else if (down) moveTo(column, start + down * STEP, end + down * STEP);
    else moveTo(columns()[columns().indexOf(column) + side * (document.dir === "rtl" ? -1 : 1)], start, end);
    carried.copy.focus({ preventScroll: true });
    carried.copy.scrollIntoView({ block: "nearest", inline: "nearest" });
    announce(`${clock(carried.start)}–${clock(carried.end)}, ${staffName(carried.column)}`);
    return true;
  }

  // The button of the selected booking picks it up, where there is room to carry it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-move]");
    const order = link && new URL(link.href).pathname.split("/")[2];
    const block = link && [...calendar.querySelectorAll(`a.bk[data-order="${order}"]`)].find(canMove);
    if (!block || carried || event.ctrlKey || event.metaKey || !matchMedia("(min-width: 60rem)").matches) return;
    event.preventDefault();
    pickUp(block);
    carried.copy.focus();
    place();
  });

  // In the side: the booking stays, or goes to a time that is free or is chosen there.
  calendar.parentElement.addEventListener("click", (event) => {
    const keeps = event.target.closest("#move [data-keep]"), free = event.target.closest("#move .times a");
    if (!keeps && !(free && carried)) return;
    event.preventDefault();
    if (free) lookAt(free.href);
    else if (carried) putBack();
    else clearSide();
  });
  calendar.parentElement.addEventListener("change", (event) => {
    const form = event.target.closest("#move-to");
    if (!form || !carried) return;
    const sent = new URLSearchParams(new FormData(form));
    if (noticeBox()) sent.set("notify", noticeBox().checked ? "yes" : "no");
    lookAt(`${form.getAttribute("action")}?${sent}`);
  });

  async function lookAt(address) {
    const mine = ++asked;
    clearTimeout(checking);
    const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
    if (!answer?.ok || answer.redirected || mine !== asked || !carried) return;
    const page = parse(await answer.text());
    const focused = document.activeElement?.id;
    showSide(page);
    document.getElementById(focused)?.focus();
    const at = page.querySelector("#move input[name=start]")?.value;
    const isOn = (one) => !isWeek || local(Date.parse(at)).startsWith(one.dataset.date);
    const column = at && columns().find((one) => one.dataset.staff === page.querySelector("#f-staff")?.value && isOn(one));
    carried.copy.classList.toggle("no", !at);
    if (!column || minuteOf(at, column) < 0) return;
    const start = minuteOf(at, column);
    Object.assign(carried, { column, start, end: start + Number(page.querySelector("#f-minutes").value) });
    place();
  }
}
