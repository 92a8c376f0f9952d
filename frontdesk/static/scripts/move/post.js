import { calendar } from "../calendar/grid.js";
import { findInput } from "../dom.js";

/**
 * Sends a form of the move; its answer is a redirect if it was done.
 * @param {string} address
 * @param {URLSearchParams} body
 */
export function post(address, body) {
  body.set("form_token", findInput("input[name=form_token]")?.value ?? "");
  return fetch(address, { method: "POST", body, redirect: "manual" }).catch(() => null);
}

/**
 * Why it was not done.
 * @param {Document | null} page
 */
export const reasonIn = (page) =>
  page?.querySelector("#move .note, #move .checks .refused, main .note")?.textContent.trim() ??
  calendar().dataset.offline ??
  "";
