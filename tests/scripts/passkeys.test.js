import assert from "node:assert/strict";
import test from "node:test";
import { bytesOf, passkeyAnswer, passkeyOptions, textOf } from "../../frontdesk/static/scripts/passkey-format.js";

const bytes = (...numbers) => Uint8Array.from(numbers).buffer;

test("bytes are written as base64url without padding", () => {
  assert.equal(textOf(bytes(251, 255, 254, 1)), "-__-AQ");
  assert.deepEqual([...bytesOf("-__-AQ")], [251, 255, 254, 1]);
});

test("options get bytes where the browser wants them", () => {
  const options = passkeyOptions(
    '{"challenge": "AQ", "rpId": "a.example", "allowCredentials": [{"id": "Ag", "type": "public-key"}]}',
  );
  assert.deepEqual([...options.challenge], [1]);
  assert.deepEqual([...options.allowCredentials[0].id], [2]);
  assert.equal(options.rpId, "a.example");
});

test("an answer has what was made, or what was signed", () => {
  const answer = (response) => {
    const credential = { id: "Aw", rawId: bytes(3), type: "public-key", response };
    return Object.keys(JSON.parse(passkeyAnswer(credential)).response);
  };
  const clientDataJSON = bytes(1);
  const made = { clientDataJSON, attestationObject: bytes(2), authenticatorData: bytes(3) };
  assert.deepEqual(answer(made), ["clientDataJSON", "attestationObject"]);
  const signed = { clientDataJSON, authenticatorData: bytes(3), signature: bytes(4), userHandle: null };
  assert.deepEqual(answer(signed), ["clientDataJSON", "authenticatorData", "signature"]);
});
