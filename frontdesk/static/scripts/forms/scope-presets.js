// A preset selects its scopes in place, so that what was typed stays; without script its link opens the page anew.
import { announce } from "../announce.js";
import { findAll, findInputs } from "../dom.js";

const presets = findAll("a[data-preset]");
const scopes = findInputs("[name=scopes]");

function showPreset() {
  const selected = scopes.filter((box) => box.checked).map((box) => box.value);
  for (const preset of presets) {
    if (preset.dataset.preset === selected.sort().join(" ")) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  }
}

for (const preset of presets) {
  preset.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const chosen = preset.dataset.preset?.split(" ") ?? [];
    for (const box of scopes) box.checked = chosen.includes(box.value);
    announce(preset.dataset.selected ?? "");
    showPreset();
  });
}
document.addEventListener("change", showPreset);
addEventListener("pageshow", showPreset);
