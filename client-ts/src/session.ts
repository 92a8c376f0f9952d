import { ApiError, ConnectionError, InvalidResponse } from "./errors.js";
import { DEFAULT_RETRY_POLICY, type RetryPolicy, withRetries } from "./retry.js";
import type { Method } from "./types.js";

export interface Options {
  /** Such as `https://desk.example.com/open-api/v1`. */
  baseUrl: string;
  clientId?: string;
  /** Never in a browser: there, give a `token` that your server obtained. */
  clientSecret?: string;
  /** An access token. Without client id and secret it is not renewed. */
  token?: string;
  /** Fewer scopes than the business approved, separated by spaces. */
  scope?: string;
  retryPolicy?: Partial<RetryPolicy>;
  /** Seconds for each attempt. Default: 30. */
  timeout?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface ApiRequest {
  method: Method;
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer that is no error, with what the body does not say. */
export interface Answered<T> {
  status: number;
  headers: Headers;
  body: T;
}

interface Token {
  value: string;
  renewAt: number;
}

const RENEW_BEFORE = 300; // seconds before it expires

/** Sends requests with a valid token, and obtains tokens. */
export class Session {
  readonly #options: Options;
  readonly #policy: RetryPolicy;
  readonly #fetch: typeof globalThis.fetch;
  #token: Token | null;
  #renewal: Promise<Token> | null = null; // one for all calls that wait

  constructor(options: Options) {
    if (!/^https?:\/\/[^/]/.test(options.baseUrl)) {
      throw new TypeError(`${options.baseUrl} is not a base URL; example: https://desk.example.com/open-api/v1`);
    }
    if (options.token === undefined && !(options.clientId && options.clientSecret)) {
      throw new TypeError("a client needs clientId and clientSecret, or a token");
    }
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
    this.#policy = { ...DEFAULT_RETRY_POLICY, ...options.retryPolicy };
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#token = options.token === undefined ? null : { value: options.token, renewAt: Number.POSITIVE_INFINITY };
  }

  /** With the decoded body; undefined if it has none. */
  async send(request: ApiRequest): Promise<Answered<unknown>> {
    const response = await this.#authorized(request, whole);
    return { status: response.status, headers: response.headers, body: await decoded(response) };
  }

  /** The lines of the answer, read while they arrive. */
  async *lines(request: ApiRequest): AsyncGenerator<unknown, void, undefined> {
    const response = await this.#authorized(request, begun);
    if (!response.ok) throw new ApiError(response, await response.text());
    try {
      for await (const line of linesOf(response)) yield parsed(line);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof InvalidResponse) throw error;
      throw new ConnectionError(`the answer ended before its end: ${String(error)}`, { cause: error });
    }
  }

  async #authorized(request: ApiRequest, receive: Receive): Promise<Response> {
    const token = await this.#validToken();
    const response = await this.#attempts(request, token.value, receive);
    if (response.status !== 401 || !this.#options.clientSecret) return response;
    await response.body?.cancel();
    // Another call may have renewed the token already.
    const renewed = this.#token && this.#token !== token ? this.#token : await this.#renew();
    return this.#attempts(request, renewed.value, receive);
  }

  async #validToken(): Promise<Token> {
    return this.#token && Date.now() < this.#token.renewAt ? this.#token : this.#renew();
  }

  #renew(): Promise<Token> {
    this.#renewal ??= this.#newToken().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #newToken(): Promise<Token> {
    const { clientId, clientSecret, scope = "" } = this.#options;
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope };
    const answer = await decoded(await this.#attempts({ method: "post", path: "/oauth/token", body }, null, whole));
    const issued = answer as { access_token: string; expires_in: number };
    const lifetime = issued.expires_in - Math.min(RENEW_BEFORE, issued.expires_in / 10);
    this.#token = { value: issued.access_token, renewAt: Date.now() + lifetime * 1000 };
    return this.#token;
  }

  #attempts(request: ApiRequest, token: string | null, receive: Receive): Promise<Response> {
    const url = this.#options.baseUrl + request.path + queryString(request.query);
    const init = requestInit(request, token);
    return withRetries(this.#policy, request.signal, () => this.#attempt(url, init, request.signal, receive));
  }

  async #attempt(
    url: string,
    init: RequestInit,
    stopping: AbortSignal | undefined,
    receive: Receive,
  ): Promise<Response> {
    const limit = new AbortController();
    const seconds = this.#options.timeout ?? 30;
    const timer = setTimeout(() => limit.abort(new Error(`no answer within ${seconds} seconds`)), seconds * 1000);
    try {
      const signal = stopping ? AbortSignal.any([stopping, limit.signal]) : limit.signal;
      return await receive(await this.#fetch(url, { ...init, signal }));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What of an answer has to arrive within the limit of an attempt. */
type Receive = (response: Response) => Promise<Response>;

/** So that an answer that breaks off is asked for again. */
const whole: Receive = async (response) => {
  const bytes = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(bytes.byteLength ? bytes : null, { status, headers });
};

const begun: Receive = (response) => (response.ok ? Promise.resolve(response) : whole(response));

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let rest = "";
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      const lines = (rest + decoder.decode(read.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.filter((line) => line !== "");
    }
  } finally {
    await reader?.cancel().catch(() => {}); // the caller may have stopped in the middle
  }
  if (rest !== "") yield rest;
}

function requestInit(request: ApiRequest, token: string | null): RequestInit {
  const headers: Record<string, string> = { accept: "application/json", ...request.headers };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  const init: RequestInit = { method: request.method.toUpperCase(), headers };
  if (request.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(request.body);
  }
  return init;
}

function queryString(query: Record<string, unknown> = {}): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (isMap(value)) for (const [key, text] of Object.entries(value)) sent.append(`${name}[${key}]`, String(text));
    else if (value !== undefined && value !== null) sent.append(name, String(value));
  }
  return sent.size ? `?${sent}` : "";
}

/** A parameter with a value for each key: `metadata[colour]=blue`. */
function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

async function decoded(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new ApiError(response, text);
  return text === "" ? undefined : parsed(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidResponse(`the answer is not JSON: ${text.slice(0, 200)}`, { cause: error });
  }
}
