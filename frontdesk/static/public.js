// Improves the booking page, which works without it: choices are swapped in place, and a chosen time is held for a while.
(() => {
  "use strict";
  const SWAPPED = ["choose", "end", "card", "news"];
  const RENEW_AFTER = 90_000; // a hold lasts two minutes
  const form = document.getElementById("bk");

  function swap(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!page.getElementById("bk")) return false;
    for (const id of SWAPPED) {
      const old = document.getElementById(id);
      const found = page.getElementById(id);
      if (old && found) old.replaceWith(document.adoptNode(found));
    }
    for (const use of page.querySelectorAll(".sprite symbol")) {
      if (!document.getElementById(use.id)) document.querySelector(".sprite").append(document.adoptNode(use));
    }
    showZone();
    return true;
  }

  function showZone() {
    const note = document.getElementById("zone");
    if (note && Intl.DateTimeFormat().resolvedOptions().timeZone !== note.dataset.zone) note.hidden = false;
  }

  // Links within the choices: days, weeks, providers. What was typed stays, because the details are not swapped.
  let latest = 0;
  async function follow(link) {
    const mine = ++latest;
    const place = link.getAttribute("href");
    try {
      const answer = await fetch(place, { headers: { accept: "text/html" } });
      const text = await answer.text();
      if (mine !== latest) return;
      if (!answer.ok || !swap(text)) throw new Error("another page");
      history.replaceState(null, "", place);
      const same = document.querySelector(`#choose a[href="${CSS.escape(place)}"]`);
      if (same) same.focus({ preventScroll: true });
    } catch {
      location.assign(place);
    }
  }

  // The chosen time: the server holds it, and answers with the summary, the terms and the button.
  let renewal = 0;
  async function hold() {
    clearTimeout(renewal);
    const chosen = document.querySelector("[name=start]:checked");
    if (!chosen) return;
    const mine = ++latest;
    const sent = new URLSearchParams();
    for (const name of ["branch", "services", "day", "token"]) sent.set(name, form.elements[name].value);
    sent.set("start", chosen.value);
    try {
      const answer = await fetch(form.dataset.hold, { method: "POST", body: sent, headers: { accept: "text/html" } });
      if (!answer.ok || mine !== latest) return;
      const hadFocus = document.activeElement === chosen;
      if (!swap(await answer.text())) return;
      const again = document.querySelector("[name=start]:checked");
      if (hadFocus && again) again.focus({ preventScroll: true });
      if (!again) document.getElementById("answer")?.scrollIntoView({ block: "center" }); // it was just taken
      if (document.getElementById("held")) renewal = setTimeout(renew, RENEW_AFTER);
    } catch {
      // Without a hold the form is sent all the same.
    }
  }
  function renew() {
    if (document.visibilityState === "visible") hold();
  }

  if (form) {
    document.addEventListener("click", (event) => {
      const link = event.target.closest("#choose a");
      const plain = !event.defaultPrevented && event.button === 0;
      const keys = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (!link || !plain || keys || link.classList.contains("add")) return;
      event.preventDefault();
      follow(link);
    });
    // On the document: the times that replace a taken one stand above the form.
    document.addEventListener("change", (event) => {
      if (event.target.name === "start") hold();
    });
    form.addEventListener("submit", () => {
      latest++;
      clearTimeout(renewal);
    });
    showZone();
    const answer = document.getElementById("answer");
    if (answer) {
      answer.scrollIntoView();
      const field = answer.closest("#who")?.querySelector("[aria-invalid=true], [name=code]");
      (field || answer).focus();
    }
  }

  // The search in a long menu.
  const find = document.getElementById("find-service");
  if (find) {
    find.parentElement.hidden = false;
    find.addEventListener("input", () => {
      const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      for (const group of document.querySelectorAll(".step > section")) {
        let any = false;
        for (const row of group.querySelectorAll("li")) {
          const text = row.textContent.toLocaleLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
          any ||= !row.hidden;
        }
        group.hidden = !any;
      }
    });
  }
})();
