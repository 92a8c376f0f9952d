// Progressive enhancement: every page works without it.
"use strict";

function announce(text) {
  const region = document.querySelector(".toasts");
  if (!region) return;
  const message = document.createElement("p");
  message.className = "sr";
  message.textContent = text;
  region.append(message);
}

// Browsers have a clipboard on https and on this machine only.
if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

// What was typed into a form whose session has ended is restored after the sign-in.
const TYPED = "frontdesk.typed";
// Not form.action and form.method: a field can have these names.
const pathOf = (form) => new URL(form.getAttribute("action") ?? "", location).pathname;
function typedValues(form) {
  const fields = [...form.elements].filter((field) => field.name && !["hidden", "password", "file"].includes(field.type));
  return fields.map((field) => [field.name, field.value, field.checked === true]);
}
function restoreTyped() {
  const typed = JSON.parse(sessionStorage.getItem(TYPED) || "null");
  if (!typed || location.pathname === "/sign-in") return;
  sessionStorage.removeItem(TYPED);
  // What was refused comes back with Back and Reload only: a link to the page opens it as it is stored.
  const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  const isWanted = typed.ended || (typed.refused && !isNew);
  if (typed.page !== location.pathname || !isWanted || "posted" in document.documentElement.dataset) return;
  const form = [...document.forms].find((one) => pathOf(one) === typed.action);
  if (!form) return;
  const places = {};
  for (const [name, value, checked] of typed.values) {
    const fields = form.querySelectorAll(`[name="${CSS.escape(name)}"]`);
    const field = fields[(places[name] = (places[name] ?? -1) + 1)];
    if (!field || field.type === "hidden") continue;
    if (["checkbox", "radio"].includes(field.type)) field.checked = checked;
    else field.value = value;
  }
}
if (location.pathname === "/sign-in" && new URLSearchParams(location.search).has("ended")) {
  const typed = JSON.parse(sessionStorage.getItem(TYPED) || "null");
  if (typed) sessionStorage.setItem(TYPED, JSON.stringify({ ...typed, ended: true }));
}
restoreTyped();

// Back opens the page of a form anew. A form that records money then has the id and version with which it was sent, so
// that nothing is recorded twice.
const sentBy = (form) => `frontdesk.sent ${pathOf(form)}`;
const onceFields = (form) => [form.querySelector("[name=id][data-once]"), form.querySelector("[name=version]")];
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") {
  for (const field of document.querySelectorAll("[name=id][data-once]")) {
    const sent = JSON.parse(sessionStorage.getItem(sentBy(field.form)) || "[]");
    onceFields(field.form).forEach((one, place) => one && sent[place] && (one.value = sent[place]));
  }
}

// The answer to a form that was refused takes the place of the form's page in the history: Back and Reload then open
// that page, with what was typed, and do not ask whether to send the form again.
const origin = document.referrer && new URL(document.referrer);
if ("posted" in document.documentElement.dataset && origin && origin.origin === location.origin) {
  const form = [...document.forms].find((one) => pathOf(one) === location.pathname);
  if (form) {
    const typed = { page: origin.pathname, action: location.pathname, values: typedValues(form), refused: true };
    sessionStorage.setItem(TYPED, JSON.stringify(typed));
  }
  history.replaceState(null, "", origin);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
    return;
  }
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return;
  }
  button.querySelector("span").textContent = button.dataset.copied;
  announce(button.dataset.copied);
});

// "/" searches, "?" lists the keys, and a key of data-key follows its link or presses its button.
function useKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea, [contenteditable]") && event.key !== "F2") return;
  const search = document.querySelector("main [type=search]") ?? document.querySelector(".find [type=search]");
  const keys = document.getElementById("keys");
  const target = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if ((event.key === "/" || event.key === "F2") && search) search.focus();
  else if (event.key === "?" && keys) keys.showModal();
  else if (target) target.click();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  useKey(event);
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A button with data-confirm asks before its form is sent. Without script, or without `sure`, the server asks.
function ask(button) {
  const dialog = document.createElement("dialog");
  const form = document.createElement("form");
  form.method = "dialog";
  form.className = "stack";
  const question = document.createElement("p");
  question.textContent = button.dataset.confirm;
  const row = document.createElement("div");
  row.className = "row";
  for (const [value, text, style] of [["yes", button.dataset.yes, "btn danger"], ["", button.dataset.no, "btn bare"]]) {
    const choice = document.createElement("button");
    choice.value = value;
    choice.textContent = text;
    choice.className = style;
    row.append(choice);
  }
  form.append(question, row);
  dialog.append(form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue !== "yes") return;
    button.dataset.confirmed = "yes";
    const sure = document.createElement("input");
    Object.assign(sure, { type: "hidden", name: "sure", value: "yes" });
    button.form.append(sure);
    button.form.requestSubmit(button);
  });
  document.body.append(dialog);
  dialog.showModal();
}

// A picture can be dropped on its field. A photo that is larger than the server takes is made smaller before it is sent.
async function shrink(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, 2400 / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new File([await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })], file.name, { type: "image/jpeg" });
}

function choose(input, file) {
  const chosen = new DataTransfer();
  if (file) chosen.items.add(file);
  input.files = chosen.files;
}

async function fit(input, file) {
  const fits = (sent) => sent?.size <= Number(input.dataset.maxBytes);
  const small = fits(file) ? file : await shrink(file).catch(() => null);
  if (input.files[0] !== file) return; // another one was chosen meanwhile
  if (small !== file) choose(input, fits(small) ? small : null);
  const error = input.closest(".field").querySelector("[data-too-large]");
  error.nextElementSibling?.remove();
  if (!fits(small)) error.after(error.content.cloneNode(true));
}

let fitting = null;
document.addEventListener("change", ({ target }) => {
  const [file] = target.files ?? [];
  if (!file || !target.dataset.maxBytes) return;
  const started = fit(target, file).finally(() => (fitting = fitting === started ? null : fitting));
  fitting = started;
});
document.addEventListener(
  "submit",
  (event) => {
    if (!fitting) return;
    const { target, submitter } = event;
    event.preventDefault();
    event.stopImmediatePropagation();
    fitting.then(() => target.querySelector("[data-too-large] + .err") || target.requestSubmit(submitter));
  },
  true,
);
for (const field of document.querySelectorAll(".drop:has([data-max-bytes])")) {
  field.addEventListener("dragover", (event) => event.preventDefault());
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    const input = field.querySelector("[data-max-bytes]");
    if (!event.dataTransfer.files.length) return;
    choose(input, event.dataTransfer.files[0]);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// Ctrl+S saves, and the bar of a long form says how many fields were changed. Its texts are for 1 to 11 changes.
document.addEventListener("keydown", (event) => {
  const save = document.querySelector(".bar .pri");
  if (!save || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  save.click();
});
const unsaved = document.querySelector("[data-unsaved]");
if (unsaved) {
  const form = unsaved.closest("form");
  const texts = unsaved.dataset.unsaved.split("|");
  const isChanged = (field) => {
    if (!field.name || ["hidden", "submit"].includes(field.type)) return false;
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.type === "radio") return field.checked && !field.defaultChecked;
    if (!field.options) return field.value !== field.defaultValue;
    const options = [...field.options];
    return field.value !== (options.find((option) => option.defaultSelected) ?? options[0])?.value;
  };
  const show = () => {
    const count = [...form.elements].filter(isChanged).length;
    unsaved.textContent = count ? texts[Math.min(count, texts.length) - 1].replace(`${texts.length}`, `${count}`) : "";
  };
  form.addEventListener("input", show);
  addEventListener("pageshow", show);
}

// Entering an own price or own minutes for a row selects the row.
document.addEventListener("input", (event) => {
  const row = event.target.closest("[data-tick]");
  if (row && event.target.type !== "checkbox" && event.target.value) row.querySelector("[type=checkbox]").checked = true;
});

// A preset selects its scopes in place, so that what was typed stays; without script its link opens the page anew.
const presets = [...document.querySelectorAll("a[data-preset]")];
const scopes = [...document.querySelectorAll("[name=scopes]")];
function showPreset() {
  const selected = scopes.filter((box) => box.checked).map((box) => box.value).sort().join(" ");
  for (const preset of presets) {
    if (preset.dataset.preset === selected) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  };
}
for (const preset of presets) {
  preset.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const chosen = preset.dataset.preset.split(" ");
    for (const box of scopes) box.checked = chosen.includes(box.value);
    announce(preset.dataset.selected);
    showPreset();
  });
}
if (presets.length) {
  document.addEventListener("change", showPreset);
  addEventListener("pageshow", showPreset);
}

// Shows what the chosen lines of a refund amount to; the server computes it.
const refund = document.querySelector("[data-refund]");
if (refund) {
  const form = refund.closest("form");
  const digits = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";
  const numberOf = (text) => Number(text.replace(/[٠-٩۰-۹]/g, (digit) => digits.indexOf(digit) % 10)) || 0;
  const show = async () => {
    const lines = [...form.querySelectorAll("[name=line]")].map((line) => line.value);
    const quantities = [...form.querySelectorAll("[name=quantity]")].map((field) => numberOf(field.value));
    const chosen = lines.map((line, index) => `${line}:${quantities[index]}`).filter((pair) => !pair.endsWith(":0"));
    const response = chosen.length && (await fetch(`${refund.dataset.refund}?lines=${chosen.join(",")}`));
    refund.textContent = response && response.ok ? await response.text() : "";
  };
  form.addEventListener("input", (event) => event.target.name === "quantity" && show());
  show();
}

// Prevents double submission.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.submitter?.dataset.confirm && !event.submitter.dataset.confirmed) {
    event.preventDefault();
    ask(event.submitter);
    return;
  }
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  const once = onceFields(form).map((field) => field?.value);
  if (once[0]) sessionStorage.setItem(sentBy(form), JSON.stringify(once));
  if (form.getAttribute("method") === "post" && location.pathname !== "/sign-in") {
    const typed = { page: location.pathname, action: pathOf(form), values: typedValues(form) };
    sessionStorage.setItem(TYPED, JSON.stringify(typed));
  }
  if (event.submitter) event.submitter.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const busy of form.querySelectorAll("[aria-busy]")) busy.removeAttribute("aria-busy");
  }
});
