// "Try it" on the page of an operation: connects with the reader's credentials and sends the request from here.
// The secret is not kept. The token is kept for this tab alone.
import { find, findAll, findInput, get } from "../dom.js";
import { addressOf, firstStart, ownPathId, withOwnRecords } from "./records.js";

/** @typedef {import("./records.js").Records} Records */
/** @typedef {{ credential: string, clock: string | null }} Connection a clock is what only a sandbox has */

const panel = find("#try-it");
if (panel) start(panel);

/** @param {HTMLElement} panel */
function start(panel) {
  const { api = "", prefix = "", method = "GET", path = "", writes = "" } = panel.dataset;
  const isOpen = api === "open-api";
  const stored = `try-${api}`;
  const connecting = /** @type {HTMLFormElement} */ (get("[data-connect]", panel));
  const sending = /** @type {HTMLFormElement} */ (get("[data-send]", panel));
  const answer = get(".try-response", panel);
  const example = body()?.value;
  /** @type {Connection | null} */
  let connection = JSON.parse(sessionStorage.getItem(stored) ?? "null");

  function body() {
    return /** @type {HTMLTextAreaElement | null} */ (find("textarea[name=body]", sending));
  }

  /**
   * @param {string} address
   * @param {{ method?: string, headers?: Record<string, string>, body?: string }} options
   */
  function request(address, options = {}) {
    const headers = new Headers(options.headers);
    const credential = connection?.credential ?? "";
    if (isOpen) headers.set("authorization", `Bearer ${credential}`);
    else headers.set("x-api-key", credential);
    return fetch(address, { ...options, headers, cache: "no-store" });
  }

  function show() {
    connecting.hidden = connection !== null;
    sending.hidden = connection === null;
    get("[data-sandbox]", panel).hidden = !connection?.clock;
    const dryRun = findInput("[name=dry-run]", sending);
    if (dryRun) {
      // Nothing is saved in a real business from here.
      dryRun.disabled = !connection?.clock;
      if (dryRun.disabled) dryRun.checked = true;
      get("[data-only-check]", sending).hidden = !dryRun.disabled;
    }
  }

  /** @param {string} text */
  function complain(text) {
    const place = get("[data-connect-error]", panel);
    place.textContent = text;
    place.hidden = text === "";
  }

  connecting.addEventListener("submit", async (event) => {
    event.preventDefault();
    complain("");
    const given = Object.fromEntries(new FormData(connecting));
    try {
      connection = isOpen ? await tokenFor(given) : { credential: String(given.api_key), clock: null };
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
      return;
    }
    sessionStorage.setItem(stored, JSON.stringify(connection));
    connecting.reset();
    show();
    get("input, textarea, button", sending).focus();
  });

  /** @param {Record<string, FormDataEntryValue>} given */
  async function tokenFor(given) {
    const response = await fetch(`${prefix}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", ...given, scope: "" }),
    });
    const answered = await response.json();
    if (!response.ok) throw new Error(answered.message);
    connection = { credential: answered.access_token, clock: null };
    const clock = await request(`${prefix}/sandbox/clock`);
    return { credential: answered.access_token, clock: clock.ok ? (await clock.json()).data.now : null };
  }

  get("[data-disconnect]", panel).addEventListener("click", () => {
    sessionStorage.removeItem(stored);
    connection = null;
    answer.hidden = true;
    show();
    get("input", connecting).focus();
  });

  find("[data-own-records]", panel)?.addEventListener("click", async () => {
    const records = await ownRecords();
    const field = body();
    if (field && example) field.value = JSON.stringify(withOwnRecords(JSON.parse(example), records), null, 2);
    for (const input of findInputs("path")) input.value = ownPathId(path, records) ?? input.value;
  });

  /**
   * One of each kind, that fit together: a member, a service of hers, her branch, and the first time she is free.
   * A kind that the token may not read is left out.
   * @returns {Promise<Records>}
   */
  async function ownRecords() {
    /** @param {string} list */
    const of = async (list) => {
      const response = await request(`${prefix}/${list}${list.includes("?") ? "&" : "?"}per_page=25`);
      return response.ok ? (await response.json()).data : [];
    };
    const lists = [
      "branches",
      "customers",
      "staff?status=true",
      "items?type=service",
      "items?type=product",
      "packages",
    ];
    const more = ["categories", "tax-classes", "payment-methods", "orders", "transactions", "webhooks"];
    const [branches, customers, staff, services, products, packages, ...others] = await Promise.all(
      [...lists, ...more].map(of),
    );
    const member = staff.find((/** @type {any} */ one) => one.services.length > 0) ?? staff[0];
    const service = member?.services[0] ?? services[0];
    const branch = member?.branch ?? branches[0];
    const [category, taxClass, method, order, transaction, webhook] = others.map((list) => list[0]);
    const records = { branch, customer: customers[0], member, service, product: products[0], package: packages[0] };
    return {
      ...records,
      category,
      taxClass,
      method,
      order,
      transaction,
      webhook,
      start: await freeStart(service, member),
    };
  }

  /**
   * @param {any} service
   * @param {any} member
   */
  async function freeStart(service, member) {
    if (!service) return undefined;
    const today = (connection?.clock ? new Date(connection.clock) : new Date()).toISOString().slice(0, 10);
    const asked = { service_id: service.id, staff_id: member?.id ?? null, date: today, next_availability: true };
    const headers = { "content-type": "application/json" };
    const response = await request(`${prefix}/availability`, { method: "POST", headers, body: JSON.stringify(asked) });
    return response.ok ? firstStart((await response.json()).data.slots) : undefined;
  }

  /**
   * The fields of the path or of the query.
   * @param {string} part
   */
  function findInputs(part) {
    return /** @type {HTMLInputElement[]} */ (findAll(`input[data-in=${part}]`, sending));
  }

  /** @param {string} part */
  function valuesOf(part) {
    return Object.fromEntries(findInputs(part).map((input) => [input.name, input.value.trim()]));
  }

  sending.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (get("button[type=submit]", sending));
    /** @type {Record<string, string>} */
    const headers = {};
    const field = body();
    if (field) headers["content-type"] = "application/json";
    if (findInput("[name=dry-run]", sending)?.checked) headers["frontdesk-dry-run"] = "true";
    button.disabled = true;
    const began = performance.now();
    try {
      const address = addressOf(path, valuesOf("path"), valuesOf("query"));
      const response = await request(address, { method, headers, body: field?.value || undefined });
      await showAnswer(response, performance.now() - began, headers["frontdesk-dry-run"] === "true");
    } catch {
      get("[data-status]", answer).textContent = "No response";
      get("pre code", answer).textContent = "The request did not reach the service. Is this page still online?";
    } finally {
      button.disabled = false;
      answer.hidden = false;
      answer.scrollIntoView({ block: "nearest" });
    }
  });

  /**
   * @param {Response} response
   * @param {number} milliseconds
   * @param {boolean} wasDry
   */
  async function showAnswer(response, milliseconds, wasDry) {
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const outcome = response.ok && writes ? (wasDry ? "would be saved" : "saved") : response.ok ? "" : "refused";
    get("[data-status]", answer).textContent = `${response.status} ${outcome}`.trim();
    get("[data-status]", answer).classList.toggle("refused", !response.ok);
    get("[data-time]", answer).textContent = `${Math.round(milliseconds)} ms`;
    get("[data-request-id]", answer).textContent = response.headers.get("x-request-id") ?? "";
    get("pre code", answer).textContent =
      (isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text) || "(empty)";
  }

  sending.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    sending.requestSubmit();
  });

  panel.hidden = false;
  show();
}
