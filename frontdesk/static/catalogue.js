// Adds rows to tables of a form, and moves items and categories by dragging or with the arrow keys. The pages work without it.
"use strict";

// The last row of a table is empty; a copy of it is a new row.
for (const button of document.querySelectorAll("[data-add-row]")) {
  const table = button.closest("section").querySelector("[data-rows]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const last = table.tBodies[0].rows[table.tBodies[0].rows.length - 1];
    const row = last.cloneNode(true);
    const id = crypto.randomUUID ? crypto.randomUUID() : null;
    for (const input of row.querySelectorAll("input, select")) {
      if (input.name === "option_id" || input.name === "option_active") input.value = id;
      else if (input.type !== "checkbox" && input.name !== "quantity") input.value = "";
    }
    last.after(row);
    row.querySelector("input:not([type=hidden]), select").focus();
  });
}

function send(menu, to) {
  const button = menu.querySelector("button");
  const form = button.form;
  form.action = button.formAction;
  const place = document.createElement("input");
  place.type = "hidden";
  place.name = "to";
  place.value = to;
  form.append(place);
  form.requestSubmit();
}

function rowOf(menu) {
  const row = menu.closest("tr");
  return row.classList.contains("cat") ? row.parentElement : row;
}

// What comes after in the same group, and before which it can be dropped.
function sameKind(element) {
  return element.tagName === "TBODY"
    ? [...element.parentElement.querySelectorAll("tbody[id]")]
    : [...element.parentElement.querySelectorAll("tr[id]")];
}

let dragged = null;
for (const menu of document.querySelectorAll(".order")) {
  const grip = menu.querySelector("summary");
  const moved = rowOf(menu);
  grip.draggable = true;
  grip.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    send(menu, event.key === "ArrowUp" ? "up" : "down");
  });
  grip.addEventListener("dragstart", (event) => {
    dragged = { menu, moved };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(moved, 0, 0);
    moved.classList.add("dragged");
  });
  grip.addEventListener("dragend", () => {
    moved.classList.remove("dragged");
    dragged = null;
  });
}

function targetOf(event) {
  if (!dragged) return null;
  const own = sameKind(dragged.moved);
  return own.find((other) => other !== dragged.moved && other.contains(event.target)) ?? null;
}

document.addEventListener("dragover", (event) => {
  if (targetOf(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const target = targetOf(event);
  if (!target) return;
  event.preventDefault();
  const own = sameKind(dragged.moved);
  const goesDown = own.indexOf(target) > own.indexOf(dragged.moved);
  const next = goesDown ? own[own.indexOf(target) + 1] : target;
  send(dragged.menu, next ? next.id.slice(2) : "");
});

// The place is kept where the page is after a move. Browsers take the focus away when they have scrolled to the fragment.
const here = location.hash && document.querySelector(`${CSS.escape(location.hash.slice(1)) && location.hash} .order summary`);
if (here) {
  here.focus();
  addEventListener("load", () => setTimeout(() => here.focus()));
}
