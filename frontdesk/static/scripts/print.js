// The button that prints; without it the browser's own does. Paper of a roll is as long as what is on it: a style sheet
// cannot say so, and a page of a fixed length would waste paper or tear a receipt in two.

const MILLIMETRE = 96 / 25.4; // in pixels

// Receipts that are printed together are each on a page of their own, as long as the longest.
const rolls = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".receipt:not(.a4)"));
if (rolls.length) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const fit = () => {
    let height = 0;
    for (const roll of rolls) {
      roll.style.maxInlineSize = "none"; // a phone may be narrower than the roll
      height = Math.max(height, roll.getBoundingClientRect().height);
      roll.style.maxInlineSize = "";
    }
    const length = Math.ceil(height / MILLIMETRE) + 1;
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
