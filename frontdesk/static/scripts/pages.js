// Pages that the server has rendered, of which parts are put in place of parts of this one.
import { find } from "./dom.js";

/** @param {string} text */
export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

/** @param {string} address */
export const requestPage = (address) => fetch(address, { headers: { accept: "text/html" } });

/**
 * The page of an address, or null if it cannot be reached, is refused or is another one.
 * @param {string} address
 */
export async function fetchPage(address) {
  const answer = await requestPage(address).catch(() => null);
  return answer?.ok && !answer.redirected ? parsePage(await answer.text()) : null;
}

/**
 * The drawings of icons that this page does not have yet.
 * @param {Document} page
 */
export function addIcons(page) {
  for (const symbol of page.querySelectorAll("svg.sprite symbol")) {
    if (!document.getElementById(symbol.id)) find("svg.sprite")?.append(document.importNode(symbol, true));
  }
}
