// Adds rows to tables of a form, and moves items and categories by dragging or with the arrow keys. The pages work without it.
import { find, findAll, findInputs, get } from "./dom.js";

// The last row of a table is empty; a copy of it is a new row.
for (const button of findAll("[data-add-row]")) {
  const table = get("[data-rows]", /** @type {Element} */ (button.closest("section")));
  button.hidden = false;
  button.addEventListener("click", () => addRow(/** @type {HTMLTableElement} */ (table)));
}

/** @param {HTMLTableElement} table */
function addRow(table) {
  const last = [...(table.tBodies[0]?.rows ?? [])].at(-1);
  if (!last) return;
  const row = /** @type {HTMLElement} */ (last.cloneNode(true));
  const id = crypto.randomUUID ? crypto.randomUUID() : "";
  for (const input of findInputs("input, select", row)) {
    if (input.name === "option_id" || input.name === "option_active") input.value = id;
    else if (input.type !== "checkbox" && input.name !== "quantity") input.value = "";
  }
  last.after(row);
  get("input:not([type=hidden]), select", row).focus();
}

/**
 * @param {HTMLElement} menu
 * @param {string} to
 */
function send(menu, to) {
  const button = /** @type {HTMLButtonElement} */ (get("button", menu));
  const { form } = button;
  if (!form) return;
  form.action = button.formAction;
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "to", value: to }));
  form.requestSubmit();
}

/** @param {HTMLElement} menu */
function rowOf(menu) {
  const row = /** @type {HTMLElement} */ (menu.closest("tr"));
  return row.classList.contains("category") ? /** @type {HTMLElement} */ (row.parentElement) : row;
}

/**
 * What it can be dropped among: the items of its category, or all categories.
 * @param {HTMLElement} element
 */
const sameKind = (element) =>
  findAll(element.tagName === "TBODY" ? "tbody[id]" : "tr[id]", /** @type {Element} */ (element.parentElement));

/** @type {{ menu: HTMLElement, moved: HTMLElement } | null} */
let dragged = null;

/** @param {HTMLElement} menu */
function makeMovable(menu) {
  const grip = get("summary", menu);
  const moved = rowOf(menu);
  grip.draggable = true;
  grip.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    send(menu, event.key === "ArrowUp" ? "up" : "down");
  });
  grip.addEventListener("dragstart", (event) => {
    dragged = { menu, moved };
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    event.dataTransfer?.setDragImage(moved, 0, 0);
    moved.classList.add("dragged");
  });
  grip.addEventListener("dragend", () => {
    moved.classList.remove("dragged");
    dragged = null;
  });
}

/** @param {DragEvent} event */
function targetOf(event) {
  if (!dragged) return null;
  const { moved } = dragged;
  return sameKind(moved).find((other) => other !== moved && other.contains(/** @type {Node} */ (event.target))) ?? null;
}

for (const menu of findAll(".order")) makeMovable(menu);
document.addEventListener("dragover", (event) => {
  if (targetOf(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const target = targetOf(event);
  if (!target || !dragged) return;
  event.preventDefault();
  const own = sameKind(dragged.moved);
  const goesDown = own.indexOf(target) > own.indexOf(dragged.moved);
  const next = goesDown ? own[own.indexOf(target) + 1] : target;
  send(dragged.menu, next ? next.id.slice(2) : "");
});

// The place is kept where the page is after a move. Browsers take the focus away when they have scrolled to the fragment.
const here = location.hash ? find(`#${CSS.escape(location.hash.slice(1))} .order summary`) : null;
if (here) {
  here.focus();
  addEventListener("load", () => setTimeout(() => here.focus()));
}
