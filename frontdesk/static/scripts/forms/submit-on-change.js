// A choice that is made in the head of a page, such as the day, opens the page with it.
import { findInputs } from "../dom.js";

const TYPING = 700;

// A day that is typed is complete when nothing follows: each digit of it is a change, and the year begins as 0002.
for (const field of findInputs("[data-submits]")) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typed;
  field.addEventListener("change", () => {
    clearTimeout(typed);
    const submit = () => field.form?.requestSubmit();
    if (field.type !== "date") submit();
    else if (field.value >= "1970" && field.value < "2200") typed = setTimeout(submit, TYPING);
  });
}
