// Finds elements, with their types.

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement | null}
 */
export const find = (selector, root = document) => root.querySelector(selector);

/**
 * @param {string} selector
 * @param {ParentNode} root
 */
export const findAll = (selector, root = document) =>
  /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll(selector)));

/**
 * An element that the markup of the page always has.
 * @param {string} selector
 * @param {ParentNode} root
 */
export function get(selector, root = document) {
  const found = find(selector, root);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLInputElement | null}
 */
export const findInput = (selector, root = document) => root.querySelector(selector);

/**
 * @param {string} selector
 * @param {ParentNode} root
 */
export const findInputs = (selector, root = document) =>
  /** @type {HTMLInputElement[]} */ (Array.from(root.querySelectorAll(selector)));

/**
 * The element around what an event happened to.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const around = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/**
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLAnchorElement | null}
 */
export const linkAround = (event, selector) =>
  event.target instanceof Element ? event.target.closest(selector) : null;

/**
 * The field that an event of a form happened to.
 * @param {Event} event
 */
export const fieldOf = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * The value of a field of a form, by its name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const fieldOfForm = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @param {Element} control */
const nameOf = (control) => {
  const [name, value] = [control.getAttribute("name"), control.getAttribute("value")];
  return name ? `${name} ${value}` : (control.getAttribute("href") ?? control.textContent);
};

/**
 * In a part that is drawn again, the control that had the focus: by its id, else by its name and value, its address or its text.
 * @param {Element} old
 * @param {ParentNode} root
 * @returns {HTMLElement | null}
 */
export function findAgain(old, root) {
  if (old.id) return find(`#${CSS.escape(old.id)}`, root);
  return findAll(old.localName, root).find((control) => nameOf(control) === nameOf(old)) ?? null;
}

/** @param {SubmitEvent} event */
export const submitterOf = (event) => /** @type {HTMLButtonElement | null} */ (event.submitter);

/** @param {MouseEvent} event */
export const opensElsewhere = (event) =>
  event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;

/** @param {KeyboardEvent} event */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;
