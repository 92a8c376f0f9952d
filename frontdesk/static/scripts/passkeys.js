// A passkey is made or used by the browser; its answer is sent with the form around the button.
import { find, findAll, get } from "./dom.js";
import { passkeyAnswer, passkeyOptions } from "./passkey-format.js";

/** @param {HTMLButtonElement} button */
async function askForPasskey(button) {
  const { form } = button;
  if (!form) return;
  const error = get("[data-passkey-error]", form);
  error.hidden = true;
  if (!form.reportValidity()) return;
  button.disabled = true;
  try {
    const publicKey = passkeyOptions(button.dataset.options ?? "");
    const credential = await (button.dataset.passkey === "create"
      ? navigator.credentials.create({ publicKey })
      : navigator.credentials.get({ publicKey }));
    const answer = /** @type {HTMLInputElement} */ (form.elements.namedItem("answer"));
    answer.value = passkeyAnswer(/** @type {PublicKeyCredential} */ (credential));
    form.submit();
  } catch {
    error.textContent = button.dataset.failed ?? "";
    error.hidden = false;
    button.disabled = false;
  }
}

if (window.PublicKeyCredential) {
  for (const button of findAll("[data-passkey-offer]")) button.hidden = false;
  for (const button of /** @type {HTMLButtonElement[]} */ (findAll("[data-passkey]"))) {
    button.addEventListener("click", () => askForPasskey(button));
    if ("begin" in button.dataset && !find(".note.bad")) askForPasskey(button);
  }
}
