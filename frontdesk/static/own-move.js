// Improves the page that moves a booking, which works without it: the chosen time is said beside the present one.
(() => {
  "use strict";
  const said = document.getElementById("new-time");
  const button = document.getElementById("move-to");

  document.querySelector("form.steps-f")?.addEventListener("change", (event) => {
    const time = event.target.closest("label")?.querySelector("time")?.textContent;
    if (!time || !said || !button) return;
    const shown = document.createElement("time");
    shown.className = "ltr";
    shown.textContent = time;
    said.replaceChildren(shown);
    button.textContent = button.dataset.to.replace("{time}", `\u2066${time}\u2069`);
  });
})();
