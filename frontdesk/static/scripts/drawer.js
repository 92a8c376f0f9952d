// Adds up the count of the drawer while it is typed. The pages work without it. A blind count has no expected sum.
import { find, findAll, findInput, get } from "./dom.js";
import { minorOf, piecesOf, showMinor } from "./drawer-amounts.js";

const box = find("[data-decimals]");
const rows = findAll(".count li[data-value]");
if (box && rows.length) {
  const decimals = Number(box.dataset.decimals);
  const show = (/** @type {number} */ amount) => showMinor(amount, decimals);
  const inputs = rows.map((row) => /** @type {HTMLInputElement} */ (get("input", row)));
  const left = findInput("#f-left");
  const result = find("[data-result]") ?? document.createElement("span"); // of those who may close
  const words = find("[data-words]");
  const expected = find("[data-sum=expected]");

  const countRows = () => {
    let counted = 0;
    for (const [place, row] of rows.entries()) {
      const amount = minorOf(row.dataset.value ?? "", decimals) * piecesOf(inputs[place]?.value ?? "");
      const shown = get("[data-amount]", row);
      shown.textContent = show(amount);
      shown.classList.toggle("muted", amount === 0);
      counted += amount;
    }
    return counted;
  };

  const compare = (/** @type {number} */ counted) => {
    if (!expected || !words || !left) return;
    const difference = counted - minorOf(expected.textContent, decimals);
    get("[data-sum=difference]").textContent = show(difference);
    words.textContent = words.dataset.words?.split("|")[Math.sign(difference) + 1] ?? "";
    words.parentElement?.classList.toggle("due", difference !== 0);
    const { short = "", over = "" } = result.dataset;
    const text = difference < 0 ? short : difference > 0 ? over : "";
    result.textContent = text.replace("#", show(Math.abs(difference)));
    const stays = minorOf(left.value || "-", decimals);
    get("[data-sum=safe]").textContent = Number.isNaN(stays) ? "\u2013" : show(Math.max(counted - stays, 0));
    for (const cell of findAll("[data-cash]")) cell.textContent = result.textContent || words.textContent;
  };

  const add = () => {
    const counted = countRows();
    for (const sum of findAll("[data-sum=counted]")) sum.textContent = show(counted);
    compare(counted);
  };

  for (const input of inputs) input.addEventListener("input", add);
  left?.addEventListener("input", () => {
    if (inputs.some((input) => input.value.trim())) add();
  });
}
