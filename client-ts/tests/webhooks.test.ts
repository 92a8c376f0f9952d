// Webhooks: those that a server signed, and those that somebody else did.
import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidResponse, InvalidSignature, signWebhook, verifyWebhook } from "../src/index.js";

const OLD = "whsec_b2xkIHNlY3JldCBvZiAzMiBieXRlcyBmb3IgdGVzdHM=";
const NEW = "whsec_bmV3IHNlY3JldCBvZiAzMiBieXRlcyBmb3IgdGVzdHM=";
const ID = "01920000-0000-7000-8000-0000000000e1";
const BODY = `{"id":"${ID}","type":"webhook.ping","sequence":7,"data":{"note":"بريد"}}`;

test("the event of a signed body, in every form that a server gives", async () => {
  const headers = await signWebhook(ID, BODY, NEW);
  for (const body of [BODY, new TextEncoder().encode(BODY), Buffer.from(BODY)]) {
    for (const given of [headers, new Headers(headers), upperCase(headers)]) {
      const event = await verifyWebhook(body, given, NEW);
      assert.deepEqual([event.type, event.sequence], ["webhook.ping", 7]);
    }
  }
});

test("both secrets are good while one is being replaced", async () => {
  const both = await signWebhook(ID, BODY, [OLD, NEW]);
  for (const secrets of [OLD, NEW, [NEW, OLD]]) assert.equal((await verifyWebhook(BODY, both, secrets)).sequence, 7);
  const old = await signWebhook(ID, BODY, OLD);
  assert.equal((await verifyWebhook(BODY, old, [NEW, OLD])).sequence, 7);
  await assert.rejects(verifyWebhook(BODY, old, NEW), InvalidSignature);
});

test("what was changed, is too old or has no signature is refused", async () => {
  const headers = await signWebhook(ID, BODY, NEW);
  const now = Math.floor(Date.now() / 1000);
  const refused: [string, Record<string, string>][] = [
    [BODY.replace("7", "8"), headers],
    [BODY, { ...headers, "webhook-id": "another" }],
    [BODY, { ...headers, "webhook-timestamp": String(now + 1) }],
    [BODY, { ...headers, "webhook-timestamp": "" }],
    [BODY, { ...headers, "webhook-timestamp": "soon" }],
    [BODY, { ...headers, "webhook-signature": "" }],
    [BODY, { ...headers, "webhook-signature": "v1,%%%" }],
    [BODY, { ...headers, "webhook-signature": (headers["webhook-signature"] ?? "").replace("v1,", "v2,") }],
    [BODY, await signWebhook(ID, BODY, NEW, now - 301)],
    [BODY, await signWebhook(ID, BODY, NEW, now + 310)],
    [BODY, {}],
  ];
  for (const [body, given] of refused) await assert.rejects(verifyWebhook(body, given, NEW), InvalidSignature);
  const late = await signWebhook(ID, BODY, NEW, now - 301);
  assert.equal((await verifyWebhook(BODY, late, NEW, { tolerance: 400 })).sequence, 7);
});

test("a signed body that is not JSON is an error of the client", async () => {
  for (const body of ["", "{", "<html>"]) {
    await assert.rejects(verifyWebhook(body, await signWebhook(ID, body, NEW), NEW), InvalidResponse);
  }
});

test("a delivery that the server signed", { skip: !process.env.FRONTDESK_DELIVERY }, async () => {
  const delivery = JSON.parse(process.env.FRONTDESK_DELIVERY ?? "") as {
    body: string;
    headers: Record<string, string>;
    secret: string;
  };
  const event = await verifyWebhook(delivery.body, delivery.headers, delivery.secret);
  assert.equal(event.type, "webhook.ping");
});

test("a secret that is none is a mistake of the program", async () => {
  await assert.rejects(verifyWebhook(BODY, await signWebhook(ID, BODY, NEW), "%%%"), TypeError);
});

function upperCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
