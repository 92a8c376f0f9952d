// What others have changed and is not drawn yet.

/**
 * @typedef {{ own: boolean, type: string }} Change
 * @typedef {{ order: string, own: boolean, type: string, days: string[] }} News
 * @typedef {{ type: string, data: string, lastEventId: string }} Heard
 */

const DAY = 86_400_000;

/**
 * A change is the user's own only if all changes of the order are.
 * @param {Map<string, Change>} changed
 * @param {News} news
 */
export function addNews(changed, { order, own, type }) {
  changed.set(order, { own: own && (changed.get(order)?.own ?? true), type });
}

/**
 * What could not be drawn is drawn later, unless something newer is known.
 * @param {Map<string, Change>} changed
 * @param {Map<string, Change>} missed
 */
export function addMissed(changed, missed) {
  for (const [order, change] of missed) if (!changed.has(order)) changed.set(order, change);
}

/**
 * Nights belong to the day they began on, and a week shows seven days.
 * @param {News} news
 * @param {string | undefined} day the first one that is shown, if it is a calendar
 */
export function concerns({ days }, day) {
  if (!day || !days.length) return true;
  return days.some((one) => {
    const distance = (Date.parse(one) - Date.parse(day)) / DAY;
    return distance >= -1 && distance <= 7;
  });
}

/**
 * The events of an answer that is no stream.
 * @param {string} text
 * @returns {Heard[]}
 */
export function eventsIn(text) {
  const blocks = text.split("\n\n").map((block) => {
    const lines = block.split("\n").map((line) => [line.split(": ", 1)[0], line.replace(/^\w+: ?/, "")]);
    return Object.fromEntries(lines);
  });
  return blocks.filter(({ event }) => event).map(({ event, data, id }) => ({ type: event, data, lastEventId: id }));
}
