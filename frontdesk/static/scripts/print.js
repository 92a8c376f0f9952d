// The button that prints; without it the browser's own does.

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
