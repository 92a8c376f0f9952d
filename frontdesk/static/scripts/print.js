// The button that prints; without it the browser's own does. Paper of a roll is as long as what is on it: a style sheet
// cannot say so, and a page of a fixed length would waste paper or tear a receipt in two.

const MILLIMETRE = 96 / 25.4; // in pixels

const roll = /** @type {HTMLElement | null} */ (document.querySelector(".receipt:not(.a4)"));
if (roll) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const fit = () => {
    roll.style.maxInlineSize = "none"; // a phone may be narrower than the roll
    const length = Math.ceil(roll.getBoundingClientRect().height / MILLIMETRE) + 1;
    roll.style.maxInlineSize = "";
    sheet.replaceSync(`@page receipt { size: 80mm ${length}mm }`);
  };
  addEventListener("load", fit);
  addEventListener("beforeprint", fit);
}

const button = /** @type {HTMLElement | null} */ (document.querySelector("button#print, [data-print]"));
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
if (button?.dataset.print === "now") {
  const address = new URL(location.href);
  address.searchParams.delete("then"); // a reload does not print again
  history.replaceState(null, "", address);
  addEventListener("load", () => print());
}
