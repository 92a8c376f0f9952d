// The form of weekly hours: adds intervals, and copies a day to the others. Without it each day has one empty interval.
"use strict";

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "btn tiny bare";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

function times(group) {
  return [...group.querySelectorAll(".iv")].map((row) => [...row.querySelectorAll("input")].map((input) => input.value));
}

function add(group, values = ["", ""]) {
  const last = [...group.querySelectorAll(":scope > .row:not(.acts)")].at(-1);
  const row = last.cloneNode(true);
  row.hidden = false;
  row.querySelectorAll(".iv input").forEach((input, index) => {
    input.value = values[index];
    input.removeAttribute("aria-invalid");
  });
  last.after(row);
  return row;
}

function replace(group, intervals) {
  const rows = [...group.querySelectorAll(":scope > .row:not(.acts)")];
  for (const row of rows.slice(1)) row.remove();
  rows[0].hidden = false;
  rows[0].querySelectorAll(".iv input").forEach((input, index) => {
    input.value = intervals.length ? intervals[0][index] : "";
  });
  for (const values of intervals.slice(1)) add(group, values);
}

for (const week of document.querySelectorAll("[data-week]")) {
  // Times that are entered are the person's own.
  const own = week.closest("form").querySelector("[name=source][value=own]");
  if (own) week.addEventListener("input", () => (own.checked = true));
  const groups = [...week.querySelectorAll("[data-day]")];
  for (const group of groups) {
    const rows = [...group.querySelectorAll(":scope > .row:not(.acts)")];
    if (rows.length > 1) rows.at(-1).remove(); // the empty one
    const acts = document.createElement("div");
    acts.className = "row acts";
    acts.append(button(week.dataset.add, () => add(group).querySelector(".iv input").focus()));
    if (groups.length > 1) {
      acts.append(
        button(week.dataset.spread, () => {
          const filled = times(group).filter(([opens, closes]) => opens || closes);
          for (const other of groups) if (other !== group) replace(other, filled);
        }),
      );
    }
    group.append(acts);
  }
}
