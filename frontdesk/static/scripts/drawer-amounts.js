// Amounts of the drawer, in the smallest unit of the currency.
import { latinDigits } from "./digits.js";

const MINUS = "\u2212";

/**
 * @param {number} amount
 * @param {number} decimals
 */
export const showMinor = (amount, decimals) =>
  (amount / 10 ** decimals)
    .toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .replace("-", MINUS);

/**
 * @param {string} text
 * @param {number} decimals
 */
export const minorOf = (text, decimals) =>
  Math.round(Number(text.replace(/,/g, "").replace(MINUS, "-")) * 10 ** decimals);

/**
 * How many notes or coins were counted.
 * @param {string} text
 */
export function piecesOf(text) {
  const digits = latinDigits(text.trim());
  return /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
}
