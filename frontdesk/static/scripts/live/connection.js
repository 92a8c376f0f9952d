// One connection a page (server-sent events), else a question every 20 seconds. Nothing is lost: the page says up to which
// event it knows everything, and the server sends the rest.
import { eventsIn } from "./changes.js";

const POLL = 20_000;
const WATCH = 40_000;
const PATIENCE = 2000;
const HIDDEN = 30_000;

/** @typedef {ReturnType<typeof setTimeout>} Timer */

export class Connection {
  /** @type {EventSource | null} */
  #source = null;
  #heardAt = Date.now();
  /** @type {Timer | undefined} */
  #polling;
  /** @type {Timer | undefined} */
  #sleeping;
  /** @type {Timer | undefined} */
  #patience;
  #isLost = false;
  #hasEnded = false;

  /**
   * @param {number} after the last event that the page knows
   * @param {string} business
   * @param {{ hear: (event: import("./changes.js").Heard) => void, lost: (since: Date) => void, found: (wasLost: boolean) => void,
   *   ended: () => void }} listeners
   */
  constructor(after, business, listeners) {
    this.after = after;
    this.business = business;
    this.listeners = listeners;
  }

  get isWorking() {
    return !this.#isLost && !this.#patience;
  }

  get #address() {
    return `/live?after=${this.after}&business=${this.business}`;
  }

  open() {
    this.close();
    this.#hasEnded = false;
    const source = new EventSource(this.#address);
    this.#source = source;
    source.onopen = () => this.#find();
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return this.lose();
      this.#poll();
      this.#polling ??= setInterval(() => this.#poll(), POLL);
    };
    for (const name of ["order", "reset", "alive"]) source.addEventListener(name, (event) => this.#hear(event));
  }

  close() {
    this.#source?.close();
    this.#source = null;
  }

  /** @param {import("./changes.js").Heard} event */
  #hear(event) {
    if (event.lastEventId) this.after = Math.max(this.after, Number(event.lastEventId));
    this.#find();
    this.listeners.hear(event);
  }

  /** Asks once, where a stream is refused: too many pages are open, or something between does not let it through. */
  async #poll() {
    const answer = await fetch(this.#address).catch(() => null);
    if (answer && (answer.redirected || answer.status === 403)) return this.end();
    if (!answer?.ok) return this.lose();
    this.#find();
    for (const event of eventsIn(await answer.text())) this.#hear(event);
  }

  lose() {
    if (!this.isWorking || this.#hasEnded) return;
    const since = new Date();
    const report = () => {
      this.#isLost = true;
      this.listeners.lost(since);
    };
    this.#patience = setTimeout(report, navigator.onLine ? PATIENCE : 0);
  }

  #find() {
    this.#heardAt = Date.now();
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const wasLost = this.#isLost;
    this.#isLost = false;
    if (this.#source?.readyState === EventSource.OPEN) this.#stopPolling();
    this.listeners.found(wasLost);
  }

  #stopPolling() {
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  /** The session has ended, or another business is open now. */
  end() {
    this.close();
    this.#stopPolling();
    this.#hasEnded = true;
    this.listeners.ended();
  }

  /** Opens it, and again after a pause of the page or of the network. */
  keepOpen() {
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.#sleeping);
      if (document.hidden) this.#sleeping = setTimeout(() => this.close(), HIDDEN);
      else if (!this.#source) this.open();
    });
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.open());
    setInterval(() => {
      if (this.#source && Date.now() - this.#heardAt > WATCH) this.open();
      else if (this.#polling && !this.#source?.readyState) this.open();
    }, WATCH / 2);
    this.open();
  }
}
