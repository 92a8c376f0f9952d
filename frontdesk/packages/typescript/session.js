import { ApiError, ConnectionError, InvalidResponse } from "./errors.js";
import { DEFAULT_RETRY_POLICY, withRetries } from "./retry.js";
const RENEW_BEFORE = 300; // seconds before it expires
/** Sends requests with a valid token, and obtains tokens. */
export class Session {
    #options;
    #policy;
    #fetch;
    #token;
    #renewal = null; // one for all calls that wait
    constructor(options) {
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
    async send(request) {
        const response = await this.#authorized(request, whole);
        return { status: response.status, headers: response.headers, body: await decoded(response) };
    }
    /** The lines of the answer, read while they arrive. */
    async *lines(request) {
        const response = await this.#authorized(request, begun);
        if (!response.ok)
            throw new ApiError(response, await response.text());
        try {
            for await (const line of linesOf(response))
                yield parsed(line);
        }
        catch (error) {
            request.signal?.throwIfAborted();
            if (error instanceof InvalidResponse)
                throw error;
            throw new ConnectionError(`the answer ended before its end: ${String(error)}`, { cause: error });
        }
    }
    async #authorized(request, receive) {
        const token = await this.#validToken();
        const response = await this.#attempts(request, token.value, receive);
        if (response.status !== 401 || !this.#options.clientSecret)
            return response;
        await response.body?.cancel();
        // Another call may have renewed the token already.
        const renewed = this.#token && this.#token !== token ? this.#token : await this.#renew();
        return this.#attempts(request, renewed.value, receive);
    }
    async #validToken() {
        return this.#token && Date.now() < this.#token.renewAt ? this.#token : this.#renew();
    }
    #renew() {
        this.#renewal ??= this.#newToken().finally(() => {
            this.#renewal = null;
        });
        return this.#renewal;
    }
    async #newToken() {
        const { clientId, clientSecret, scope = "" } = this.#options;
        const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope };
        const answer = await decoded(await this.#attempts({ method: "post", path: "/oauth/token", body }, null, whole));
        const issued = answer;
        const lifetime = issued.expires_in - Math.min(RENEW_BEFORE, issued.expires_in / 10);
        this.#token = { value: issued.access_token, renewAt: Date.now() + lifetime * 1000 };
        return this.#token;
    }
    #attempts(request, token, receive) {
        const url = this.#options.baseUrl + request.path + queryString(request.query);
        const init = requestInit(request, token);
        return withRetries(this.#policy, request.signal, () => this.#attempt(url, init, request.signal, receive));
    }
    async #attempt(url, init, stopping, receive) {
        const limit = new AbortController();
        const seconds = this.#options.timeout ?? 30;
        const timer = setTimeout(() => limit.abort(new Error(`no answer within ${seconds} seconds`)), seconds * 1000);
        try {
            const signal = stopping ? AbortSignal.any([stopping, limit.signal]) : limit.signal;
            return await receive(await this.#fetch(url, { ...init, signal }));
        }
        finally {
            clearTimeout(timer);
        }
    }
}
/** So that an answer that breaks off is asked for again. */
const whole = async (response) => {
    const bytes = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(bytes.byteLength ? bytes : null, { status, headers });
};
const begun = (response) => (response.ok ? Promise.resolve(response) : whole(response));
async function* linesOf(response) {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    let rest = "";
    try {
        for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
            const lines = (rest + decoder.decode(read.value, { stream: true })).split("\n");
            rest = lines.pop() ?? "";
            yield* lines.filter((line) => line !== "");
        }
    }
    finally {
        await reader?.cancel().catch(() => { }); // the caller may have stopped in the middle
    }
    if (rest !== "")
        yield rest;
}
function requestInit(request, token) {
    const headers = { accept: "application/json", ...request.headers };
    if (token !== null)
        headers.authorization = `Bearer ${token}`;
    const init = { method: request.method.toUpperCase(), headers };
    if (request.body !== undefined) {
        headers["content-type"] = "application/json";
        init.body = JSON.stringify(request.body);
    }
    return init;
}
function queryString(query = {}) {
    const sent = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (isMap(value))
            for (const [key, text] of Object.entries(value))
                sent.append(`${name}[${key}]`, String(text));
        else if (value !== undefined && value !== null)
            sent.append(name, String(value));
    }
    return sent.size ? `?${sent}` : "";
}
/** A parameter with a value for each key: `metadata[colour]=blue`. */
function isMap(value) {
    return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
async function decoded(response) {
    const text = await response.text();
    if (!response.ok)
        throw new ApiError(response, text);
    return text === "" ? undefined : parsed(text);
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        throw new InvalidResponse(`the answer is not JSON: ${text.slice(0, 200)}`, { cause: error });
    }
}
