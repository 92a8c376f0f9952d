// The till without reloads: each button sends the page's form, one after the other, and the answer replaces the page.
// All amounts come from the server. Without this script the same form is sent by the browser.
"use strict";

{
  const KEPT = "frontdesk.till";
  const FIELDS = "input, select, textarea";
  const waiting = [];
  let busy = false;
  let lastField = ""; // focus stays in it while its amount is calculated
  let given = null; // the cash given as it was sent
  let lastTile = ""; // focus returns to it after an option was chosen

  const till = () => document.getElementById("sale");

  // A cart survives a visit to another page; a sold or cleared one does not.
  function keepCart() {
    const state = new URLSearchParams(till().elements.state.value);
    if (state.has("cart") || state.has("back")) sessionStorage.setItem(KEPT, `?${state}`);
    else sessionStorage.removeItem(KEPT);
  }

  function typedText() {
    const field = document.activeElement;
    if (!field?.id || !field.matches(FIELDS) || !till().contains(field)) return null;
    return { id: field.id, value: field.value, from: field.selectionStart, to: field.selectionEnd };
  }

  function restoreFocus(id, typed, sent) {
    const field = id && document.getElementById(id);
    if (!field) return false;
    field.focus({ preventScroll: true });
    if (typed && field.value !== undefined && typed.value !== sent && field.matches("input:not([type=hidden])")) {
      field.value = typed.value;
      field.setSelectionRange?.(typed.from, typed.to);
    }
    return true;
  }

  function focusNew() {
    const field = document.getElementById("f-first_name");
    field?.focus();
    return Boolean(field);
  }

  // Digits go on after those that were pressed before, also while the answer was on its way.
  function keepGiven(text) {
    const field = document.getElementById("given");
    if (field && text && (text !== given || Number(text) === Number(field.value))) field.value = text;
  }

  function replacePage(text, sent) {
    const answer = new DOMParser().parseFromString(text, "text/html");
    const form = answer.getElementById("sale");
    if (!form) return false;
    const id = document.activeElement?.id;
    const typed = typedText();
    const wasPaying = Boolean(document.getElementById("finish"));
    const cash = document.getElementById("given")?.value;
    till().replaceWith(form);
    keepGiven(cash);
    const sprite = document.querySelector("svg.sprite");
    for (const symbol of answer.querySelectorAll("svg.sprite symbol")) {
      if (!document.getElementById(symbol.id)) sprite.append(symbol);
    }
    const done = answer.querySelector(".toasts .note");
    if (done) document.querySelector(".toasts").replaceChildren(done);
    prepare();
    const wrong = till().querySelector("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else if (wasPaying !== Boolean(document.getElementById("finish"))) document.getElementById("finish")?.focus();
    else restoreFocus(id, typed, sent) || focusNew() || restoreFocus(lastField) || restoreFocus(lastTile) || focusFirst();
    return true;
  }

  async function send(button, value) {
    const data = new FormData(till());
    for (const name of ["find", "people"]) if (name !== button) data.delete(name);
    if (value !== undefined) data.append(button, value);
    given = data.get("given");
    const typed = typedText();
    await show(await fetch("/till", { method: "POST", body: new URLSearchParams(data) }), typed?.value);
  }

  async function show(response, sent) {
    const page = new URL(response.url);
    const step = (url) => new URLSearchParams(url.search).get("step") || "items";
    const stays = page.pathname.startsWith("/till") && replacePage(await response.text(), sent);
    if (!stays) {
      waiting.length = 0;
      if (response.redirected) location.replace(page);
      else location.reload();
    } else if (response.redirected) {
      if (step(page) === step(location)) history.replaceState(null, "", page);
      else history.pushState(null, "", page);
    }
  }

  // The connection is lost: nothing was done, or sending it again leads to what was done.
  function announceLost() {
    document.querySelector("#sale [aria-busy]")?.removeAttribute("aria-busy");
    if (document.querySelector(".cut")) return;
    const note = document.createElement("p");
    note.className = "note bad cut";
    note.setAttribute("role", "alert");
    note.textContent = till().dataset.lost;
    document.getElementById("cart").prepend(note);
  }

  // Acts are sent in the order in which they were made, each with what the one before has answered.
  async function act(button, value) {
    waiting.push([button, value]);
    if (busy) return;
    busy = true;
    try {
      while (waiting.length) {
        const next = waiting.shift();
        if (next[0] === "#finish") await finish(next[1]);
        else await send(...next);
      }
    } catch {
      waiting.length = 0;
      announceLost();
    }
    busy = false;
  }

  // The same form may be sent again: the server takes one payment for it.
  async function finish(action) {
    const button = till().querySelector(`[formaction="${action}"]`);
    if (!button) return;
    button.setAttribute("aria-busy", "true");
    const data = new FormData(till());
    for (const name of ["find", "people"]) data.delete(name);
    await show(await fetch(action, { method: "POST", body: new URLSearchParams(data) }));
  }

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.id !== "sale") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const button = event.submitter;
      lastField = "";
      if (button?.matches("[aria-pressed][data-tile]")) lastTile = button.id;
      if (button?.dataset.finish !== undefined) act("#finish", button.getAttribute("formaction"));
      else if (button?.name) act(button.name, button.value);
      else {
        const own = document.activeElement?.closest("fieldset")?.querySelector("[data-finish]"); // Enter in its fields
        if (own) act("#finish", own.getAttribute("formaction"));
        else act(document.activeElement?.name || "");
      }
    },
    true,
  );

  document.addEventListener("change", (event) => {
    if (!event.target.matches("#sale [data-send]") || event.target.name === "people") return;
    lastField = event.target.id;
    act(event.target.name);
  });

  let pause;
  document.addEventListener("input", (event) => {
    if (event.target.name !== "people") return;
    clearTimeout(pause);
    pause = setTimeout(() => act("people"), 200);
  });

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit]");
    const field = document.getElementById("given");
    if (!key || !field) return;
    const isWhole = field.value.split(".")[1]?.length >= Number(field.dataset.decimals); // such as 300.00: begin again
    field.value = key.dataset.digit ? (isWhole ? "" : field.value) + key.dataset.digit : field.value.slice(0, -1);
    clearTimeout(pause);
    pause = setTimeout(() => act("given"), 300);
  });

  function moveAlong(tile, key) {
    const tiles = [...till().querySelectorAll("[data-tile]")];
    const rtl = document.documentElement.dir === "rtl";
    const place = tiles.indexOf(tile);
    const row = tiles.filter((one) => one.offsetTop === tile.offsetTop).length;
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, ArrowDown: row, ArrowUp: -row }[key];
    tiles[Math.max(0, Math.min(tiles.length - 1, place + step))]?.focus();
  }

  // A scanner types a code and Enter. What is typed outside a field goes into the search, so it needs no focus.
  function useKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !till()) return false;
    const inField = event.target.closest(FIELDS);
    const find = document.getElementById("find") || document.getElementById("given");
    const pressed = till().querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (event.key === "F2" && find) find.focus();
    else if (pressed) pressed.click();
    else if (event.key === "F4" && busy) act("go", "pay"); // the first item is still on its way
    else if (event.key.startsWith("Arrow") && event.target.matches("[data-tile]")) moveAlong(event.target, event.key);
    else if (event.key.startsWith("Arrow") && event.target === document.body && firstTile()) firstTile().focus();
    else if (!inField && event.key.length === 1 && event.key !== " " && find) {
      find.focus();
      event.stopPropagation();
      return false; // the letter still goes into the field
    } else return false;
    return true;
  }
  document.addEventListener(
    "keydown",
    (event) => {
      if (!useKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  const firstTile = () => till().querySelector("[data-tile]");

  // A focused tile would look like one that is in the cart; the first arrow key begins with the first tile.
  function focusFirst() {
    const field = till().querySelector("#f-first_name, #finish");
    if (document.activeElement === document.body) field?.focus({ preventScroll: true });
  }

  function prepare() {
    for (const button of till().querySelectorAll(".noscript")) button.hidden = true;
    const keypad = till().querySelector(".keypad");
    if (keypad) keypad.hidden = false;
    keepCart();
  }

  const kept = sessionStorage.getItem(KEPT);
  if (!till()) sessionStorage.removeItem(KEPT);
  else if (location.pathname === "/till" && !location.search && kept) location.replace(`/till${kept}`);
  else {
    prepare();
    focusFirst();
  }
  addEventListener("popstate", () => location.reload());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}
