// A cart survives a visit to another page; a sold or cleared one does not, nor an order, which is found where it waits.
const KEPT = "frontdesk.till";

/** @param {string} text the state of the page, as its address would have it */
export function keepCart(text) {
  const state = new URLSearchParams(text);
  if (!state.has("version") && (state.has("cart") || state.has("back"))) sessionStorage.setItem(KEPT, `?${state}`);
  else forgetCart();
}

export const keptCart = () => sessionStorage.getItem(KEPT);
export const forgetCart = () => sessionStorage.removeItem(KEPT);

/** A page that is shown again may be of a cart that was sold meanwhile. */
export function reloadOnReturn() {
  addEventListener("popstate", () => location.reload());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}
