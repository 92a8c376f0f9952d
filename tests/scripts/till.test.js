import assert from "node:assert/strict";
import test from "node:test";
import { typeDigit } from "../../frontdesk/static/scripts/till/keypad.js";

const typed = (value, keys, decimals = 2) => keys.reduce((text, key) => typeDigit(text, key, decimals), value);

test("digits follow each other, and the last one can be taken away", () => {
  assert.equal(typed("", ["1", "2", ".", "5"]), "12.5");
  assert.equal(typed("12.5", [""]), "12.");
  assert.equal(typed("", [""]), "");
});

test("a whole amount begins again", () => {
  assert.equal(typed("300.00", ["5"]), "5");
  assert.equal(typed("300.00", [""]), "300.0");
  assert.equal(typed("300.0", ["5"]), "300.05");
  assert.equal(typed("4.500", ["1"], 3), "1");
});

test("an amount of a currency without decimals goes on", () => {
  assert.equal(typed("300", ["5"], 0), "3005");
});
