// Puts a reader's own records into the example of an operation, in place of the ids of the documentation.

/**
 * @typedef {{ id: string, [field: string]: any }} Found
 * @typedef {{
 *   branch?: Found, customer?: Found, member?: Found, service?: Found, product?: Found, package?: Found,
 *   category?: Found, taxClass?: Found, method?: Found, order?: Found, transaction?: Found, webhook?: Found,
 *   start?: string,
 * }} Records
 */

/** @type {Record<string, keyof Records>} */
const BY_FIELD = {
  branch_id: "branch",
  team_id: "branch",
  customer_id: "customer",
  staff_id: "member",
  service_id: "service",
  service_ids: "service",
  item_id: "service",
  category_id: "category",
  tax_class_id: "taxClass",
  payment_method_id: "method",
};

/** @type {Record<string, keyof Records>} */
const BY_LIST = {
  branches: "branch",
  customers: "customer",
  staff: "member",
  items: "service",
  packages: "package",
  categories: "category",
  "tax-classes": "taxClass",
  "payment-methods": "method",
  orders: "order",
  transactions: "transaction",
  webhooks: "webhook",
};

/** @type {Record<string, keyof Records>} */
const BY_TYPE = { service: "service", product: "product", package: "package" };

/**
 * The example with own records where a field names one. What the business lacks stays as it is.
 * @param {any} example
 * @param {Records} records
 * @returns {any}
 */
export function withOwnRecords(example, records) {
  if (Array.isArray(example)) return example.map((value) => withOwnRecords(value, records));
  if (example === null || typeof example !== "object") return example;
  return Object.fromEntries(
    Object.entries(example).map(([field, value]) => [
      field,
      ownValue(field, value, example, records) ?? withOwnRecords(value, records),
    ]),
  );
}

/**
 * @param {string} field
 * @param {any} value
 * @param {Record<string, any>} around
 * @param {Records} records
 */
function ownValue(field, value, around, records) {
  if (field === "start" && typeof value === "string") return records.start;
  if (field === "line_id") return records.order?.items?.[0]?.id;
  if (value === null) return undefined;
  const kind = field === "id" ? BY_TYPE[around.type] : BY_FIELD[field];
  const id = kind && /** @type {Found | undefined} */ (records[kind])?.id;
  return id && Array.isArray(value) ? [id] : id;
}

/**
 * The id that stands in the path of an operation: of the record of its list, `orders` in `/v1/orders/{uuid}/trace`.
 * @param {string} path
 * @param {Records} records
 * @returns {string | undefined}
 */
export function ownPathId(path, records) {
  const kind = BY_LIST[/([\w-]+)\/\{/.exec(path)?.[1] ?? ""];
  return kind && /** @type {Found | undefined} */ (records[kind])?.id;
}

/**
 * The address of a request. Query parameters without a value are left out.
 * @param {string} path
 * @param {Record<string, string>} inPath
 * @param {Record<string, string>} inQuery
 */
export function addressOf(path, inPath, inQuery) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ""));
  const query = new URLSearchParams(Object.entries(inQuery).filter(([, value]) => value !== ""));
  return query.size ? `${filled}?${query}` : filled;
}

/**
 * The first free time in an answer of the availability, as an order names its start.
 * @param {Record<string, string[]>} slots the times of each day
 * @returns {string | undefined}
 */
export function firstStart(slots) {
  const [first] = Object.entries(slots)
    .filter(([, times]) => times.length > 0)
    .sort();
  return first && `${first[0]}T${first[1][0]}:00`;
}
