/**
 * Where a form is sent to. Not form.action: a field can have this name.
 * @param {HTMLFormElement} form
 */
export const pathOf = (form) => new URL(form.getAttribute("action") ?? "", location.href).pathname;

/** How this page was opened: by a link or a form, by Back, or anew. */
export const kindOfVisit = () => {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return visit?.type;
};
