"use strict";

const button = document.querySelector("button#print, [data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
if (button.dataset.print === "now") {
  const address = new URL(location);
  address.searchParams.delete("then"); // a reload does not print again
  history.replaceState(null, "", address);
  addEventListener("load", () => print());
}
