// The token of the form that holds a time, so that its hold can be released after a reload. Never in an address.

const page = document.getElementById("main")?.dataset.page ?? "";
const NAME = `held ${page}`;

export function heldToken() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null; // in a frame that may store nothing
  }
}

/** @param {string} token */
export function keepToken(token) {
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // The hold ends by itself.
  }
}

/** The time of a form that is left: others, and the next form, can choose it. */
export async function releaseHeld() {
  const token = heldToken();
  if (!token) return;
  sessionStorage.removeItem(NAME);
  await fetch(`${page}/release`, { method: "POST", body: new URLSearchParams({ token }) });
}
