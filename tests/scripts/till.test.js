import assert from "node:assert/strict";
import test from "node:test";
import { noteKey, scannedCode, typeDigit, typing } from "../../frontdesk/static/scripts/till/keypad.js";

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

let clock = 0;

/** What follows the value without a pause, after one. */
function typeOn(value, keys) {
  clock += 1000;
  for (let n = 0; n < keys.length; n++) noteKey(value + keys.slice(0, n), clock + n);
}

test("a code that is scanned into the cash given is no amount, and the amount stays", () => {
  const code = "6281234567890";
  for (const before of ["", "300", "300.00"]) {
    typeOn(before, code);
    assert.equal(typing.before, before);
    for (const value of [before + code, code + before]) assert.equal(scannedCode(value, before), code);
  }
});

test("an amount is no code", () => {
  assert.equal(scannedCode("1250.50", ""), "");
  assert.equal(scannedCode("12500000", "1250000"), ""); // typed slowly
});
