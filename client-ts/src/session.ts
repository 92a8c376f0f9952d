import { ApiError } from "./errors.js";
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

  /** The decoded body of the answer; undefined if it has none. */
  async send(request: ApiRequest): Promise<unknown> {
    const token = await this.#validToken();
    let response = await this.#attempts(request, token.value);
    if (response.status === 401 && this.#options.clientSecret) {
      await response.body?.cancel();
      // Another call may have renewed the token already.
      const renewed = this.#token && this.#token !== token ? this.#token : await this.#renew();
      response = await this.#attempts(request, renewed.value);
    }
    return decoded(response);
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
    const answer = await decoded(await this.#attempts({ method: "post", path: "/oauth/token", body }, null));
    const issued = answer as { access_token: string; expires_in: number };
    const lifetime = issued.expires_in - Math.min(RENEW_BEFORE, issued.expires_in / 10);
    this.#token = { value: issued.access_token, renewAt: Date.now() + lifetime * 1000 };
    return this.#token;
  }

  #attempts(request: ApiRequest, token: string | null): Promise<Response> {
    const url = this.#options.baseUrl + request.path + queryString(request.query);
    const init = requestInit(request, token);
    return withRetries(this.#policy, request.signal, () =>
      this.#fetch(url, { ...init, signal: this.#limited(request.signal) }),
    );
  }

  #limited(signal: AbortSignal | undefined): AbortSignal {
    const limit = AbortSignal.timeout((this.#options.timeout ?? 30) * 1000);
    return signal ? AbortSignal.any([signal, limit]) : limit;
  }
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
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}

async function decoded(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new ApiError(response, text);
  return text === "" ? undefined : JSON.parse(text);
}
