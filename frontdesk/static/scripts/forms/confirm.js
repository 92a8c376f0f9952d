// A button with data-confirm asks before its form is sent. Without script, or without `sure`, the server asks.

/** @param {HTMLButtonElement} button */
export const needsConfirmation = (button) => Boolean(button.dataset.confirm) && !button.dataset.confirmed;

/**
 * @param {string} value
 * @param {string | undefined} text
 * @param {string} className
 */
const choice = (value, text = "", className) =>
  Object.assign(document.createElement("button"), { value, textContent: text, className });

/** @param {HTMLButtonElement} button */
function sendConfirmed(button) {
  button.dataset.confirmed = "yes";
  const sure = Object.assign(document.createElement("input"), { type: "hidden", name: "sure", value: "yes" });
  button.form?.append(sure);
  button.form?.requestSubmit(button);
}

/** @param {HTMLButtonElement} button */
export function confirm(button) {
  const { confirm: question = "", yes, no } = button.dataset;
  const dialog = document.createElement("dialog");
  const form = Object.assign(document.createElement("form"), { method: "dialog", className: "stack" });
  const row = Object.assign(document.createElement("div"), { className: "row" });
  row.append(choice("yes", yes, "button button-danger"), choice("", no, "button button-bare"));
  form.append(Object.assign(document.createElement("p"), { textContent: question }), row);
  dialog.append(form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "yes") sendConfirmed(button);
  });
  document.body.append(dialog);
  dialog.showModal();
}
