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
