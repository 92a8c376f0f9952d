// Bytes of passkeys are written in JSON as base64url.

/** @param {string} text */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer} bytes */
export const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** @param {{ id: string }[]} list */
const withBytes = (list) => list.map((one) => ({ ...one, id: bytesOf(one.id) }));

/** @param {string} text */
export function passkeyOptions(text) {
  const options = JSON.parse(text);
  options.challenge = bytesOf(options.challenge);
  if (options.user) options.user.id = bytesOf(options.user.id);
  for (const list of ["excludeCredentials", "allowCredentials"]) {
    if (options[list]) options[list] = withBytes(options[list]);
  }
  return options;
}

/** @param {PublicKeyCredential} credential */
export function passkeyAnswer({ id, rawId, type, response }) {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const known = /** @type {Record<string, ArrayBuffer>} */ (/** @type {unknown} */ (response));
  const wanted = known.attestationObject ? names.slice(0, 2) : names;
  /** @type {Record<string, string>} */
  const parts = {};
  for (const name of wanted) {
    const bytes = known[name];
    if (bytes) parts[name] = textOf(bytes);
  }
  return JSON.stringify({ id, rawId: textOf(rawId), type, clientExtensionResults: {}, response: parts });
}
