import { type RetryPolicy } from "./retry.js";
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
/** Sends requests with a valid token, and obtains tokens. */
export declare class Session {
    #private;
    constructor(options: Options);
    /** With the decoded body; undefined if it has none. */
    send(request: ApiRequest): Promise<Answered<unknown>>;
    /** The lines of the answer, read while they arrive. */
    lines(request: ApiRequest): AsyncGenerator<unknown, void, undefined>;
}
