const DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";

/**
 * Digits of Arabic and Persian keyboards, as those that numbers are written with.
 * @param {string} text
 */
export const latinDigits = (text) => text.replace(/[٠-٩۰-۹]/g, (digit) => `${DIGITS.indexOf(digit) % 10}`);
