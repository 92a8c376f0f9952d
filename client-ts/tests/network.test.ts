// Tokens, retries and idempotency, over a network that loses and refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, ConnectionError } from "../src/index.js";
import { answering, client, lostAfter, lostBefore, network } from "./server.js";

const BODY = { body: { first_name: "Noura" } };

test("one token serves all calls that begin at once", async () => {
  const { fetch, tokens } = network();
  const frontdesk = client({ fetch });
  await Promise.all([frontdesk.get("/branches"), frontdesk.get("/staff"), frontdesk.get("/items")]);
  assert.equal(tokens.length, 1);
});

test("a rejected token is renewed once, for all calls that wait", async () => {
  const { fetch, tokens } = network();
  const frontdesk = client({ fetch, token: "a token that was revoked" });
  await Promise.all([frontdesk.get("/branches"), frontdesk.get("/staff")]);
  assert.equal(tokens.length, 1);
  const refusing = network(answering(401), answering(401));
  await assert.rejects(client({ fetch: refusing.fetch }).get("/branches"), { status: 401 });
  assert.deepEqual([refusing.requests.length, refusing.tokens.length], [2, 2]);
});

test("a token without a secret is not renewed", async () => {
  const { fetch, tokens } = network();
  const { clientId, clientSecret, ...rest } = { clientId: "", clientSecret: "", token: "wrong", fetch };
  await assert.rejects(client({ ...rest, clientId, clientSecret }).get("/branches"), { code: "authentication_failed" });
  assert.equal(tokens.length, 0);
});

test("a write that was done and not heard of is done once", async () => {
  const { fetch, requests } = network(lostAfter, lostBefore, answering(503));
  const frontdesk = client({ fetch });
  const made = await frontdesk.post("/customers", BODY);
  const keys = requests.map((request) => request.headers.get("idempotency-key"));
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);
  const again = await frontdesk.post("/customers", { ...BODY, idempotencyKey: keys[0] ?? "" });
  assert.equal(again.id, made.id);
  const other = await frontdesk.post("/customers", BODY);
  assert.notEqual(other.id, made.id);
});

test("Retry-After is obeyed, and a wait that is too long is an error", async () => {
  const soon = network(answering(429, { "retry-after": "0" }));
  await client({ fetch: soon.fetch, retryPolicy: { initialDelay: 1000 } }).get("/branches");
  assert.equal(soon.requests.length, 2);
  const late = network(answering(429, { "retry-after": "61" }, '{"error":"rate_limit_exceeded","message":"Wait."}'));
  await assert.rejects(client({ fetch: late.fetch }).get("/branches"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.retryAfter, late.requests.length], ["rate_limit_exceeded", 61, 1]);
    return true;
  });
});

test("of the conflicts, only that of a key in use is repeated", async () => {
  const inUse = '{"error":"idempotency_key_in_use","message":"Wait."}';
  const busy = network(answering(409, { "retry-after": "0" }, inUse));
  await client({ fetch: busy.fetch }).post("/customers", BODY);
  assert.equal(busy.requests.length, 2);
  const outdated = '{"error":"version_conflict","message":"Changed.","details":{"version":7}}';
  const refused = network(answering(409, {}, outdated));
  await assert.rejects(client({ fetch: refused.fetch }).post("/customers", BODY), {
    code: "version_conflict",
    details: { version: 7 },
  });
  assert.equal(refused.requests.length, 1);
});

test("what cannot succeed is not repeated, and attempts end", async () => {
  const refused = network(answering(403, {}, "<html>a proxy</html>"));
  await assert.rejects(client({ fetch: refused.fetch }).get("/branches"), { status: 403, code: null });
  assert.equal(refused.requests.length, 1);
  const down = network(...Array.from({ length: 5 }, () => lostBefore));
  await assert.rejects(client({ fetch: down.fetch }).get("/branches"), ConnectionError);
  assert.equal(down.requests.length, 5);
});

test("a caller can stop waiting, also between two attempts", async () => {
  const stopping = new AbortController();
  const { fetch } = network(() => {
    queueMicrotask(() => stopping.abort(new Error("stopped")));
    return Promise.resolve(new Response("{}", { status: 503, headers: { "retry-after": "50" } }));
  });
  await assert.rejects(client({ fetch }).get("/branches", { signal: stopping.signal }), /stopped/);
});

test("the documentation of an error comes with it", async () => {
  const body =
    '{"error":"not_found","message":"No.","request_id":"1","doc_url":"https://d.example/docs/errors/not_found"}';
  const { fetch } = network(answering(404, {}, body));
  await assert.rejects(client({ fetch }).get("/branches"), {
    requestId: "1",
    docUrl: "https://d.example/docs/errors/not_found",
  });
});
