"use strict";

// A passkey is made or used by the browser; its answer is sent with the form around the button.

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withBytes = (list) => (list || []).map((one) => ({ ...one, id: bytesOf(one.id) }));

const passkeyOptions = (button) => {
  const options = JSON.parse(button.dataset.options);
  options.challenge = bytesOf(options.challenge);
  if (options.user) options.user.id = bytesOf(options.user.id);
  if (options.excludeCredentials) options.excludeCredentials = withBytes(options.excludeCredentials);
  if (options.allowCredentials) options.allowCredentials = withBytes(options.allowCredentials);
  return options;
};

const passkeyAnswer = (credential) => {
  const { response } = credential;
  const parts = { clientDataJSON: textOf(response.clientDataJSON) };
  if (response.attestationObject) {
    parts.attestationObject = textOf(response.attestationObject);
  } else {
    parts.authenticatorData = textOf(response.authenticatorData);
    parts.signature = textOf(response.signature);
    if (response.userHandle) parts.userHandle = textOf(response.userHandle);
  }
  return JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: parts,
  });
};

const askForPasskey = async (button) => {
  const { form } = button;
  const error = form.querySelector("[data-passkey-error]");
  error.hidden = true;
  if (!form.reportValidity()) return;
  button.disabled = true;
  try {
    const publicKey = passkeyOptions(button);
    const credential = await (button.dataset.passkey === "create"
      ? navigator.credentials.create({ publicKey })
      : navigator.credentials.get({ publicKey }));
    form.elements.answer.value = passkeyAnswer(credential);
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
    button.addEventListener("click", () => askForPasskey(button));
    if ("begin" in button.dataset && !document.querySelector(".note.bad")) askForPasskey(button);
  }
}
