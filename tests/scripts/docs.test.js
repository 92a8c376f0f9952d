import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, firstStart, ownPathId, withOwnRecords } from "../../frontdesk/static/scripts/docs/records.js";

const RECORDS = {
  branch: { id: "b" },
  customer: { id: "c" },
  member: { id: "m" },
  service: { id: "s" },
  product: { id: "p" },
  order: { id: "o", items: [{ id: "line" }] },
  start: "2026-11-20T10:00:00",
};

test("an example gets own records by the names of its fields", () => {
  const example = {
    team_id: "x",
    customer_id: "x",
    start: "2026-11-16T10:00:00",
    items: [
      { id: "x", type: "service", quantity: 1, staff_id: "x" },
      { id: "x", type: "product", quantity: 2, staff_id: null },
    ],
    note: "Prefers mornings",
  };
  assert.deepEqual(withOwnRecords(example, RECORDS), {
    team_id: "b",
    customer_id: "c",
    start: "2026-11-20T10:00:00",
    items: [
      { id: "s", type: "service", quantity: 1, staff_id: "m" },
      { id: "p", type: "product", quantity: 2, staff_id: null },
    ],
    note: "Prefers mornings",
  });
  assert.equal(example.team_id, "x");
});

test("lists of ids get one own id, and a refund the line of an order", () => {
  assert.deepEqual(withOwnRecords({ service_ids: ["x", "y"] }, RECORDS), { service_ids: ["s"] });
  assert.deepEqual(withOwnRecords({ lines: [{ line_id: "x", quantity: 1 }] }, RECORDS), {
    lines: [{ line_id: "line", quantity: 1 }],
  });
});

test("what the business lacks stays as it is", () => {
  const example = { customer_id: "x", start: "2026-11-16T10:00:00", id: "x", items: [{ id: "x", type: "package" }] };
  assert.deepEqual(withOwnRecords(example, {}), example);
});

test("an id of the path is of the list before it", () => {
  assert.equal(ownPathId("/open-api/v1/orders/{uuid}/trace", RECORDS), "o");
  assert.equal(ownPathId("/open-api/v1/staff/{uuid}", RECORDS), "m");
  assert.equal(ownPathId("/open-api/v1/webhooks/deliveries/{id}/retry", RECORDS), undefined);
  assert.equal(ownPathId("/open-api/v1/orders", RECORDS), undefined);
});

test("an address has its path and query filled in", () => {
  assert.equal(addressOf("/orders/{uuid}", { uuid: "a/b" }, {}), "/orders/a%2Fb");
  assert.equal(addressOf("/items", {}, { name: "cut & dry", page: "" }), "/items?name=cut+%26+dry");
});

test("the first free time is of the first day that has one", () => {
  assert.equal(
    firstStart({ "2026-11-21": ["09:00"], "2026-11-19": [], "2026-11-20": ["10:15", "11:00"] }),
    "2026-11-20T10:15:00",
  );
  assert.equal(firstStart({ "2026-11-19": [] }), undefined);
  assert.equal(firstStart({}), undefined);
});
