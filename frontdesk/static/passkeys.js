"use strict";

// A passkey is made or used by the browser; its answer is sent with the form around the button.

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withBytes = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));

const readOptions = (button) => {
  const options = JSON.parse(button.dataset.options);
  options.challenge = toBytes(options.challenge);
  if (options.user) options.user.id = toBytes(options.user.id);
  if (options.excludeCredentials) options.excludeCredentials = withBytes(options.excludeCredentials);
  if (options.allowCredentials) options.allowCredentials = withBytes(options.allowCredentials);
  return options;
};

const writeAnswer = (credential) => {
  const { response } = credential;
  const parts = { clientDataJSON: toText(response.clientDataJSON) };
  if (response.attestationObject) {
    parts.attestationObject = toText(response.attestationObject);
  } else {
    parts.authenticatorData = toText(response.authenticatorData);
    parts.signature = toText(response.signature);
    if (response.userHandle) parts.userHandle = toText(response.userHandle);
  }
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: parts,
  });
};

const ask = async (button) => {
  const { form } = button;
  const error = form.querySelector("[data-passkey-error]");
  error.hidden = true;
  if (!form.reportValidity()) return;
  button.disabled = true;
  try {
    const publicKey = readOptions(button);
    const credential = await (button.dataset.passkey === "create"
      ? navigator.credentials.create({ publicKey })
      : navigator.credentials.get({ publicKey }));
    form.elements.answer.value = writeAnswer(credential);
    form.submit();
  } catch {
    error.textContent = button.dataset.failed;
    error.hidden = false;
    button.disabled = false;
  }
};

if (window.PublicKeyCredential) {
  for (const button of document.querySelectorAll("[data-passkey-offer]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-passkey]")) {
    button.addEventListener("click", () => ask(button));
    if ("begin" in button.dataset && !document.querySelector(".note.bad")) ask(button);
  }
}
