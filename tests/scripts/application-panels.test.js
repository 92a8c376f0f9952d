import assert from "node:assert/strict";
import test from "node:test";
import { askedHeight } from "../../frontdesk/static/scripts/application-panels.js";

test("a panel asks for a height within bounds", () => {
  assert.equal(askedHeight({ type: "frontdesk:height", height: 240.2 }), 241);
  assert.equal(askedHeight({ type: "frontdesk:height", height: 1e9 }), 1200);
  assert.equal(askedHeight({ type: "frontdesk:height", height: -5 }), 40);
});

test("other messages ask for nothing", () => {
  for (const data of [null, "240", { type: "height", height: 3 }, { type: "frontdesk:height", height: "3" }]) {
    assert.equal(askedHeight(data), null);
  }
  assert.equal(askedHeight({ type: "frontdesk:height", height: Number.NaN }), null);
});
