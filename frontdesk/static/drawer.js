// Adds up the count of the drawer while it is typed, and prints a closed day. The pages work without it.
"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

const box = document.querySelector("[data-decimals]");
const rows = [...document.querySelectorAll(".count li[data-value]")];
if (box && rows.length) {
  const decimals = Number(box.dataset.decimals);
  const show = (minor) =>
    (minor / 10 ** decimals)
      .toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      .replace("-", "\u2212");
  const minorOf = (text) => Math.round(Number(text.replace(/,/g, "").replace("\u2212", "-")) * 10 ** decimals);
  const piecesOf = (text) => {
    const digits = text.trim().replace(/[٠-٩]/g, (digit) => "٠١٢٣٤٥٦٧٨٩".indexOf(digit));
    return /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
  };
  const expected = document.querySelector("[data-sum=expected]");
  const result = document.querySelector("[data-result]") || document.createElement("span"); // of those who may close
  const words = document.querySelector("[data-words]");

  const left = document.getElementById("f-left");
  const safe = document.querySelector("[data-sum=safe]");

  function add() {
    let counted = 0;
    for (const row of rows) {
      const amount = minorOf(row.dataset.value) * piecesOf(row.querySelector("input").value);
      const shown = row.querySelector("[data-amount]");
      shown.textContent = show(amount);
      shown.classList.toggle("mute", amount === 0);
      counted += amount;
    }
    const difference = counted - minorOf(expected.textContent);
    for (const sum of document.querySelectorAll("[data-sum=counted]")) sum.textContent = show(counted);
    document.querySelector("[data-sum=difference]").textContent = show(difference);
    words.textContent = words.dataset.words.split("|")[Math.sign(difference) + 1];
    words.parentElement.classList.toggle("due", difference !== 0);
    const text = difference < 0 ? result.dataset.short : difference > 0 ? result.dataset.over : "";
    result.textContent = text.replace("#", show(Math.abs(difference)));
    const stays = minorOf(left.value || "-");
    safe.textContent = Number.isNaN(stays) ? "\u2013" : show(Math.max(counted - stays, 0));
    for (const cell of document.querySelectorAll("[data-cash]")) cell.textContent = result.textContent || words.textContent;
  }

  for (const row of rows) row.querySelector("input").addEventListener("input", add);
  const isCounted = () => rows.some((row) => row.querySelector("input").value.trim());
  left.addEventListener("input", () => isCounted() && add());
}
