import assert from "node:assert/strict";
import test from "node:test";
import { minorOf, piecesOf, showMinor } from "../../frontdesk/static/scripts/drawer-amounts.js";

test("amounts are added in the smallest unit", () => {
  assert.equal(minorOf("1,234.10", 2), 123410);
  assert.equal(minorOf("\u22120.30", 2), -30);
  assert.equal(minorOf("4.515", 3), 4515);
  assert.ok(Number.isNaN(minorOf("-", 2)));
  assert.equal(showMinor(-123410, 2), "\u22121,234.10");
  assert.equal(showMinor(3 * minorOf("0.10", 2), 2), "0.30");
});

test("pieces are counted in the digits of Arabic and Persian keyboards too", () => {
  assert.equal(piecesOf(" 12 "), 12);
  assert.equal(piecesOf("١٢"), 12);
  assert.equal(piecesOf("۱۲"), 12);
  assert.equal(piecesOf("1.5"), 0);
  assert.equal(piecesOf(""), 0);
});
