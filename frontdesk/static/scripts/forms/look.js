// The page in small follows the colour that is chosen; without the script it shows the saved one.
import { find, findAll, findInput } from "../dom.js";

const form = find("[data-look]");
const own = findInput("[name=accent]");
const picker = findInput("[type=color]");

/** @param {string} colour */
function show(colour) {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return;
  for (const phone of findAll(".phone-preview")) phone.style.setProperty("--brand", colour);
}

/** @param {string} text @returns {string} */
export function sixDigits(text) {
  const digits = text.trim().replace(/^#/, "").toLowerCase();
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits}`;
}

/** @param {string} colour */
function chooseOwn(colour) {
  const choice = findInput("[name=colour][value=own]");
  if (choice) choice.checked = true;
  show(colour);
}

if (form && own && picker) {
  picker.hidden = false;
  picker.addEventListener("input", () => {
    own.value = picker.value;
    chooseOwn(picker.value);
  });
  own.addEventListener("input", () => {
    const colour = sixDigits(own.value);
    if (/^#[0-9a-f]{6}$/.test(colour)) picker.value = colour;
    chooseOwn(colour);
  });
  const follow = () => {
    const chosen = findInput("[name=colour]:checked");
    if (chosen) show(chosen.value === "own" ? sixDigits(own.value) : chosen.value);
  };
  form.addEventListener("change", follow);
  follow();
}
