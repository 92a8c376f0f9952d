// Follows what others do: the calendar, and every part of a page with data-follow, are drawn again in place.
// One connection a page (server-sent events), else a question every 20 seconds. Nothing is lost: the page says up to which
// event it knows everything, and the server sends the rest.
"use strict";

{
  const line = () => document.querySelector("p.live[data-after]"); // other scripts may replace it
  const POLL = 20000, WATCH = 40000, PATIENCE = 2000, HIDDEN = 30000, AT_MOST_EVERY = 1000, COUNT_AFTER = 2000;
  const words = { ...line().dataset };
  const calendar = document.getElementById("cal");
  let after = Number(words.after);
  let source = null, heardAt = Date.now(), lostAt = null, polling = null, sleeping = null, patience = null;
  let changed = new Map(), drawing = null, drawnAt = 0, counting = null, announced = new Set();

  const address = () => `/live?after=${after}&business=${words.business}`;
  const clock = (date) => date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

  function open() {
    close();
    source = new EventSource(address());
    source.onopen = found;
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return lose();
      poll();
      if (!polling) polling = setInterval(poll, POLL);
    };
    for (const name of ["order", "reset", "alive"]) source.addEventListener(name, hear);
  }

  function close() {
    source?.close();
    source = null;
  }

  function hear(event) {
    if (event.lastEventId) after = Math.max(after, Number(event.lastEventId));
    found();
    if (event.type === "reset") drawAll();
    if (event.type === "order") note(JSON.parse(event.data));
  }

  // Asks once, where a stream is refused: too many pages are open, or something between does not let it through.
  async function poll() {
    let answer;
    try {
      answer = await fetch(address());
    } catch {
      return lose();
    }
    if (answer.redirected || answer.status === 403) return end();
    if (!answer.ok) return lose();
    found();
    for (const block of (await answer.text()).split("\n\n")) {
      const fields = Object.fromEntries(block.split("\n").map((text) => [text.split(": ", 1)[0], text.replace(/^\w+: ?/, "")]));
      if (fields.event) hear({ type: fields.event, data: fields.data, lastEventId: fields.id });
    }
  }

  function lose() {
    if (lostAt || patience) return;
    const since = new Date();
    patience = setTimeout(() => {
      lostAt = since;
      say(words.lost.replace("{time}", clock(since)));
      line()?.classList.add("lost");
    }, navigator.onLine ? PATIENCE : 0);
  }

  function found() {
    heardAt = Date.now();
    clearTimeout(patience);
    patience = null;
    if (lostAt) {
      lostAt = null;
      line()?.classList.remove("lost");
      say("");
    }
    if (source?.readyState === EventSource.OPEN) {
      clearInterval(polling);
      polling = null;
    }
    if (changed.size) draw();
  }

  // The session has ended, or another business is open now.
  function end() {
    close();
    clearInterval(polling);
    polling = null;
    say(words.ended, location.href, words.reload);
  }

  function say(text, href = "", label = "") {
    if (!line()) return;
    line().textContent = text;
    if (href) {
      const link = document.createElement("a");
      link.href = href;
      link.textContent = label;
      line().append(" ", link);
    }
  }

  // Collects changes, and draws at most once a second.
  function note(event) {
    const day = calendar?.dataset.date;
    if (day && event.days.length && !event.days.some((one) => near(one, day))) return;
    const known = changed.get(event.order);
    changed.set(event.order, { own: event.own && (known?.own ?? true), type: event.type });
    draw();
  }

  // Nights belong to the day they began on, and a week shows seven days.
  function near(one, day) {
    const distance = (Date.parse(one) - Date.parse(day)) / 86400000;
    return distance >= -1 && distance <= 7;
  }

  function draw() {
    drawing ??= setTimeout(drawNow, Math.max(0, drawnAt + AT_MOST_EVERY - Date.now()));
  }

  async function drawNow() {
    drawnAt = Date.now();
    const now = changed;
    changed = new Map();
    try {
      await (calendar?.dataset.date && !calendar.classList.contains("wk7") ? drawBlocks(now) : drawParts(now));
    } catch {
      for (const [order, event] of now) if (!changed.has(order)) changed.set(order, event);
      lose();
    }
    drawing = null;
    if (changed.size && !lostAt && !patience) draw();
  }

  async function page(path) {
    const answer = await fetch(path, { headers: { accept: "text/html" } });
    if (answer.redirected) end();
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  async function drawBlocks(events) {
    const query = new URLSearchParams(location.search);
    query.set("date", calendar.dataset.date);
    const orders = [...events.keys()];
    for (let first = 0; first < orders.length; first += 100) {
      query.set("orders", orders.slice(first, first + 100).join(","));
      const fresh = await page(`/calendar/blocks?${query}`);
      for (const order of orders.slice(first, first + 100)) replaceBlocks(order, fresh, events.get(order));
    }
    document.dispatchEvent(new CustomEvent("frontdesk:changed", { detail: { orders } }));
    counting ??= setTimeout(count, COUNT_AFTER);
  }

  // What the whole day says: how much of it is booked, and what is free next.
  async function count() {
    counting = null;
    const next = await page(location.href).catch(() => null);
    const heads = [...calendar.querySelectorAll(":scope > header")], made = [...(next?.querySelectorAll("#cal > header") ?? [])];
    if (heads.length !== made.length) return;
    heads.forEach((head, place) => head.replaceChildren(...document.importNode(made[place], true).childNodes));
    const free = next.getElementById("free-next");
    if (free) document.getElementById("free-next")?.replaceChildren(...document.importNode(free, true).childNodes);
  }

  // A block that is carried or edited stays as it is; it is drawn when that ends.
  function replaceBlocks(order, fresh, event) {
    const old = [...calendar.querySelectorAll(`a.bk[data-order="${order}"]`)];
    if (old.some((block) => block.matches(".mine, .ghosted"))) return changed.set(order, event);
    const blocks = [...fresh.querySelectorAll(`a.bk[data-order="${order}"]`)];
    const same = old.length === blocks.length && blocks.every((block, place) => alike(block, old[place]));
    if (same) return;
    const focused = old.includes(document.activeElement);
    for (const block of old) block.remove();
    for (const block of blocks) place(block, event);
    if (focused) calendar.querySelector(`a.bk[data-order="${order}"]`)?.focus({ preventScroll: true });
    if (!event.own) tell(order, blocks[0] ?? old[0], event, blocks.length > 0);
  }

  const alike = (a, b) => ["version", "start", "end", "staff"].every((name) => a.dataset[name] === staffOf(b, name)) && a.textContent === b.textContent;
  const staffOf = (block, name) => (name === "staff" ? (block.dataset.staff ?? block.closest(".col").dataset.staff) : block.dataset[name]);

  // In its column, in the order of time, as the server writes it.
  function place(block, event) {
    const column = calendar.querySelector(`.col[data-staff="${block.dataset.staff}"]`);
    if (!column) return;
    const made = document.importNode(block, true);
    if (!event.own) ring(made);
    const next = [...column.querySelectorAll("a.bk")].find((one) => one.dataset.start > made.dataset.start);
    if (next) next.before(made);
    else {
      const last = [...column.querySelectorAll("a.bk, .shut, .buf, .free")].pop();
      if (last) last.after(made);
      else column.prepend(made);
    }
  }

  function ring(element) {
    for (const other of document.querySelectorAll(".fresh")) if (matchMedia("(prefers-reduced-motion: reduce)").matches) other.classList.remove("fresh");
    element.classList.add("fresh");
    element.addEventListener("animationend", () => element.classList.remove("fresh"));
  }

  // The last change of others, or how many there are since the last look.
  function tell(order, element, event, isHere) {
    announced.add(order);
    const show = isHere ? "#show" : "";
    if (announced.size > 1) return say(words.many.replace("{n}", announced.size), show, words.show);
    const name = element.querySelector("b, bdi, .rowlink")?.textContent ?? "";
    const canceled = element.matches(".st-canceled, .off");
    const what = canceled ? words.canceled : (words[{ "order.created": "created", "order.rescheduled": "moved" }[event.type]] ?? words.other);
    say("", show, words.show);
    const time = document.createElement("b");
    time.textContent = element.dataset.start ? clockOf(element) : "";
    const who = document.createElement("bdi");
    who.textContent = name;
    line()?.prepend(time, " ", who, `${words.comma}${what} `);
  }

  const clockOf = (block) => (block.querySelector("time")?.textContent ?? "").split("–")[0];

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("p.live a[href='#show']")) return;
    event.preventDefault();
    const orders = [...announced];
    announced = new Set();
    say("");
    const shown = orders.map(elementOf).filter(Boolean);
    for (const element of shown) ring(element);
    shown[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    (shown[0]?.matches("a") ? shown[0] : shown[0]?.querySelector("a"))?.focus({ preventScroll: true });
  });

  const elementOf = (order) => document.querySelector(`#cal a.bk[data-order="${order}"]`) ?? document.querySelector(`[data-follow] a[href$="${order}"]`)?.closest("tr, li, .tile");

  // Lists: the same address again, and each part with data-follow in place of the old one. What is being edited stays.
  async function drawParts(events) {
    const parts = [...document.querySelectorAll("[data-follow][id]")];
    if (!parts.length) return;
    if (document.querySelector("#cal .ghosted") || parts.some((part) => part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea"))) {
      for (const [order, event] of events) changed.set(order, event);
      return;
    }
    const next = await page(location.href);
    const before = new Map([...events.keys()].map((order) => [order, elementOf(order)?.textContent]));
    for (const part of parts) {
      const made = next.getElementById(part.id);
      if (made) part.replaceChildren(...document.importNode(made, true).childNodes); // scripts listen to the part itself
    }
    for (const [order, event] of events) {
      const row = elementOf(order);
      if (!row || event.own || row.textContent === before.get(order)) continue;
      ring(row);
      tell(order, row, event, true);
    }
  }

  function drawAll() {
    if (!calendar) return drawParts(new Map());
    if (document.querySelector("dialog[open], .mine")) return end();
    location.reload();
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(sleeping);
    if (document.hidden) sleeping = setTimeout(close, HIDDEN);
    else if (!source) open();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("offline", lose);
  addEventListener("online", open);
  document.addEventListener("frontdesk:redraw", (event) => {
    changed.set(event.detail.order, { own: true, type: "" });
    drawnAt = 0;
    draw();
  });
  document.addEventListener("frontdesk:drawn", () => changed.size && draw()); // a block was put down
  setInterval(() => {
    if (source && Date.now() - heardAt > WATCH) open();
    else if (polling && !source?.readyState) open();
  }, WATCH / 2);
  open();
}
