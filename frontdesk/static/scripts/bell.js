// A page that follows what others do also fetches the bell, at most once in two seconds.
import { fetchPage } from "./pages.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waits;

async function fetchBell() {
  waits = undefined;
  const made = (await fetchPage("/bell/count"))?.getElementById("bell-mark");
  if (made) document.getElementById("bell-mark")?.replaceWith(document.importNode(made, true));
}

document.addEventListener("frontdesk:news", () => {
  if (!waits) waits = setTimeout(fetchBell, 2000);
});
