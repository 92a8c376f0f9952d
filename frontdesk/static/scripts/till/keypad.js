/**
 * The cash given, after a key of the keypad: a digit, a point, or "" which takes the last one away.
 * @param {string} value
 * @param {string} digit
 * @param {number} decimals of the currency
 */
export function typeDigit(value, digit, decimals) {
  if (!digit) return value.slice(0, -1);
  const isWhole = (value.split(".")[1]?.length ?? -1) >= decimals; // such as 300.00: begin again
  return (isWhole ? "" : value) + digit;
}

const SCANNED = /^\d{8,}$/; // no amount has so many digits
const PAUSE = 120; // milliseconds: the keys of a scanner follow each other faster

/** The cash given as it was before the keys that were typed without a pause. */
export const typing = { before: "", at: 0 };

/**
 * @param {string} value before the key
 * @param {number} at milliseconds
 */
export function noteKey(value, at) {
  if (at - typing.at > PAUSE) typing.before = value;
  typing.at = at;
}

/**
 * The code that a scanner has typed into an amount, before or after what was there; "" is none.
 * @param {string} value
 * @param {string} before
 */
export function scannedCode(value, before) {
  let typed = value;
  if (value.startsWith(before)) typed = value.slice(before.length);
  else if (value.endsWith(before)) typed = value.slice(0, -before.length);
  return SCANNED.test(typed) ? typed : "";
}
