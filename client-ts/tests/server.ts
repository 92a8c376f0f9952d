// The server that the tests use, and networks that lose, delay and refuse what they should carry.
import { Client, type Options } from "../src/index.js";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: tests/client_ts starts these tests with a server`);
  return value;
}

export const BASE_URL = setting("FRONTDESK_BASE_URL");
export const CREDENTIALS = {
  clientId: setting("FRONTDESK_CLIENT_ID"),
  clientSecret: setting("FRONTDESK_CLIENT_SECRET"),
};

export function client(options: Partial<Options> = {}): Client {
  return new Client({ baseUrl: BASE_URL, ...CREDENTIALS, retryPolicy: { initialDelay: 0.001 }, ...options });
}

type Fault = (send: () => Promise<Response>) => Promise<Response>;

export const lostBefore: Fault = () => Promise.reject(new TypeError("fetch failed"));

/** The server did what was asked, and nobody hears it. */
export const lostAfter: Fault = async (send) => {
  await (await send()).text();
  throw new TypeError("fetch failed");
};

export function answering(status: number, headers: Record<string, string> = {}, body = "{}"): Fault {
  return () => Promise.resolve(new Response(body, { status, headers }));
}

/** A `fetch` that has these faults, one for each request that is no token request, and remembers what was sent. */
export function network(...faults: Fault[]) {
  const requests: Request[] = [];
  const tokens: Request[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const send = () => globalThis.fetch(request.clone());
    if (request.url.endsWith("/oauth/token")) {
      tokens.push(request);
      return send();
    }
    requests.push(request);
    const fault = faults.shift();
    return fault ? fault(send) : send();
  };
  return { fetch, requests, tokens };
}

export function uniquePhone(): string {
  return `050${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
}
