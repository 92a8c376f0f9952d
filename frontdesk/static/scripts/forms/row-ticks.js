// Entering an own price or own minutes for a row selects the row.
import { around, fieldOf, findInput } from "../dom.js";

document.addEventListener("input", (event) => {
  const row = around(event, "[data-tick]");
  const box = row && findInput("[type=checkbox]", row);
  if (box && fieldOf(event).type !== "checkbox" && fieldOf(event).value) box.checked = true;
});
