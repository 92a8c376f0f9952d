// The client against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, Client, type DetailsOf, InvalidResponse, type Schemas } from "../src/index.js";
import { answering, BASE_URL, CREDENTIALS, client, lostAfter, network, uniquePhone } from "./server.js";

test("books, pays and reads an order with the types of the description", async () => {
  const frontdesk = client();
  const branches = await frontdesk.get("/branches", { query: { per_page: 1 } });
  const branch = branches.data[0];
  const services = await frontdesk.get("/items", { query: { type: "service", per_page: 1 } });
  const service = services.data[0];
  assert.ok(branch && service);
  const customer: Schemas["CustomerDetail"] = await frontdesk.post("/customers", {
    body: { first_name: "Sara", phone: uniquePhone(), phone_country: "SA" },
  });
  const today = new Date().toISOString().slice(0, 10);
  const availability = await frontdesk.post("/availability", {
    body: { service_id: service.id, date: today, visible_days: 7, next_availability: true },
  });
  const [day, times] = Object.entries(availability.slots).find(([, found]) => found.length > 0) ?? [];
  const order = await frontdesk.post("/orders", {
    body: {
      team_id: branch.id,
      customer_id: customer.id,
      start: `${day}T${times?.[0]}:00`,
      items: [{ id: service.id, type: "service", quantity: 1, unit_amount: 120.5 }],
    },
  });
  assert.equal(order.total, 120.5);
  const methods = await frontdesk.get("/payment-methods");
  const cash = methods.data.find((method) => method.type.slug === "cash");
  assert.ok(cash);
  const payment = await frontdesk.post("/orders/{id}/payments", {
    path: { id: order.id },
    body: { amount: order.total, payment_method_id: cash.id },
  });
  assert.equal(payment.amount, "120.50");
  const read = await frontdesk.get("/orders/{uuid}", { path: { uuid: order.id } });
  assert.deepEqual([read.payment_status, read.customer?.id, read.start?.slice(0, 10)], ["paid", customer.id, day]);
  const changed = await frontdesk.patch("/customers/{uuid}", { path: { uuid: customer.id }, body: { city: null } });
  assert.equal(changed.first_name, "Sara");
});

test("iterates over every record once and over pages", async () => {
  const frontdesk = client();
  const ids: string[] = [];
  for await (const customer of frontdesk.list("/customers", { query: { per_page: 7 } })) ids.push(customer.id);
  const first = await frontdesk.get("/customers", { query: { per_page: 1 } });
  assert.equal(ids.length, first.meta.total);
  assert.equal(new Set(ids).size, ids.length);
  let pages = 0;
  for await (const page of frontdesk.pages("/customers", { query: { per_page: 7 } })) {
    pages += 1;
    assert.equal(page.meta.total, ids.length);
  }
  assert.equal(pages, Math.ceil(ids.length / 7));
});

test("reads some fields of records", async () => {
  const some = client().only("id", "city");
  const page = await some.get("/customers", { query: { per_page: 1 } });
  const [first] = page.data;
  assert.ok(first);
  assert.deepEqual(Object.keys(first), ["id", "city"]);
  const read: { id: string; city: string | null } = await some.get("/customers/{uuid}", { path: { uuid: first.id } });
  assert.deepEqual(read, first);
  // @ts-expect-error the answer does not have it
  assert.equal(read.first_name, undefined);
  const cities: (string | null)[] = [];
  for await (const { city } of client()
    .only("city")
    .list("/customers", { query: { per_page: 7 } }))
    cities.push(city);
  assert.equal(cities.length, page.meta.total);
  for await (const { data } of some.pages("/customers")) assert.deepEqual(Object.keys(data[0] ?? {}), ["id", "city"]);
  assert.equal(await some.get("/customers/phone", { query: { phone: "+966500000001" } }), null);
  await assert.rejects(some.get("/staff"), (error: unknown) => error instanceof ApiError && error.status === 422);
});

test("requests the next page only when it is needed, with the filters of the first", async () => {
  const { fetch, requests } = network();
  for await (const item of client({ fetch }).list("/items", { query: { type: "product", per_page: 2 } })) {
    assert.equal(item.type, "product");
    if (requests.length === 2) break;
  }
  assert.deepEqual(
    requests.map((request) => new URL(request.url).searchParams.get("type")),
    ["product", "product"],
  );
});

test("a record that moves to the next page comes once", async () => {
  const ids: string[] = [];
  const frontdesk = client();
  for await (const customer of frontdesk.list("/customers", { query: { per_page: 5 } })) {
    if (ids.length === 2) await frontdesk.post("/customers", { body: { first_name: "Between" } });
    ids.push(customer.id);
  }
  assert.equal(new Set(ids).size, ids.length);
});

test("a deleted record has no body, and a missing one has null", async () => {
  const frontdesk = client();
  const hook = await frontdesk.post("/webhooks", { body: { url: "https://example.com/h", events: ["webhook.ping"] } });
  assert.match(hook.secret, /^whsec_/);
  assert.equal(await frontdesk.delete("/webhooks/{id}", { path: { id: hook.id } }), undefined);
  assert.equal(await frontdesk.get("/customers/phone", { query: { phone: "+966500000000" } }), null);
});

test("an error has code, fields, request id and status", async () => {
  const refused = client().post("/customers", { body: { first_name: "S", phone: "12", phone_country: "SA" } });
  const error = await refused.then(
    () => assert.fail(),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.code], [422, "validation_error"]);
  assert.deepEqual(Object.keys(error.errors).sort(), ["first_name", "phone"]);
  assert.match(error.requestId ?? "", /^[0-9a-f]{32}$/);
});

test("paths, names and values are checked by the compiler, and ids by the client", async () => {
  const frontdesk = client();
  // @ts-expect-error there is no such path
  await assert.rejects(frontdesk.get("/nothing"), ApiError);
  // @ts-expect-error there is no such status
  await assert.rejects(frontdesk.get("/orders", { query: { status: "booked" } }), ApiError);
  // @ts-expect-error a body is needed
  await assert.rejects(frontdesk.post("/customers", {}), ApiError);
  await assert.rejects(frontdesk.get("/orders/{uuid}", { path: { uuid: "" } }), /needs uuid/);
  await assert.rejects(frontdesk.get("/orders/{uuid}", { path: { uuid: "../customers" } }), { status: 404 });
});

test("wrong options are told before the first request", () => {
  assert.throws(() => new Client({ baseUrl: "desk", ...CREDENTIALS }), /is not a base URL/);
  assert.throws(() => new Client({ baseUrl: BASE_URL }), /needs clientId and clientSecret, or a token/);
});

test("a caller reads what a dry run tells, and the headers", async () => {
  const frontdesk = client();
  const input = { body: { first_name: "Huda" }, dryRun: true };
  const tried = await frontdesk.request("post", "/customers", input);
  assert.deepEqual([tried.status, tried.headers.get("frontdesk-dry-run")], [201, "true"]);
  assert.deepEqual(
    tried.body.dry_run?.events.map((event) => event.type),
    ["customer.created"],
  );
  await assert.rejects(frontdesk.get("/customers/{uuid}", { path: { uuid: tried.body.data.id } }), { status: 404 });
  assert.equal((await frontdesk.post("/customers", input)).first_name, "Huda");
  const listed = await frontdesk.request("get", "/branches", { query: { per_page: 1 } });
  assert.ok(Number(listed.headers.get("x-ratelimit-remaining")) > 0);
  assert.equal(listed.body.data.length, 1);
});

test("the records of an export come one by one", async () => {
  const { fetch } = network();
  const frontdesk = client({ fetch });
  let made = await frontdesk.post("/exports", { body: { resources: ["branches", "customers"] } });
  while (made.status !== "done") made = await frontdesk.get("/exports/{id}", { path: { id: made.id } });
  const names: string[] = [];
  for await (const line of frontdesk.records(made.id)) {
    if (line.resource === "customers") names.push(line.record.first_name);
    else assert.equal(line.resource, "branches");
  }
  const branches = await frontdesk.get("/branches");
  assert.equal(names.length + branches.meta.total, made.records);
  await assert.rejects(frontdesk.records("01920000-0000-7000-8000-000000000001").next(), { code: "not_found" });
});

test("an answer that is no JSON is an error of the client", async () => {
  const { fetch } = network(answering(200, {}, "<html>a proxy</html>"));
  await assert.rejects(client({ fetch }).get("/branches"), InvalidResponse);
});

test("an answer that breaks off is asked for again", async () => {
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError("terminated"));
    },
  });
  const { fetch, requests } = network(() => Promise.resolve(new Response(broken)), lostAfter);
  assert.ok((await client({ fetch }).get("/branches")).meta.total > 0);
  assert.equal(requests.length, 3);
});

test("a code gives its details a type", async () => {
  const body = JSON.stringify({
    error: "timeslot_unavailable",
    message: "Taken.",
    details: { reason: "booked", alternatives: [{ start: "2026-11-16T10:15:00", staff_id: "1" }] },
  });
  const { fetch } = network(answering(422, {}, body));
  const error: unknown = await client({ fetch })
    .get("/branches")
    .catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError && error.is("timeslot_unavailable"));
  const details: DetailsOf<"timeslot_unavailable"> = error.details;
  assert.equal(details.alternatives[0]?.start, "2026-11-16T10:15:00");
});
