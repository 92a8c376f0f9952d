// The page on which customers move their booking, which works without it: the chosen time is said beside the present one.
import { fieldOf, find } from "./dom.js";

const said = document.getElementById("new-time");
const button = document.getElementById("move-to");

find("form.booking-form")?.addEventListener("change", (event) => {
  const time = fieldOf(event).closest("label")?.querySelector("time")?.textContent;
  if (!time || !said || !button) return;
  said.replaceChildren(Object.assign(document.createElement("time"), { className: "ltr", textContent: time }));
  button.textContent = button.dataset.to?.replace("{time}", `\u2066${time}\u2069`) ?? "";
});
