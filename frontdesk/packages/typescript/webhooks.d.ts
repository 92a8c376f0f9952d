import type { Event } from "./types.js";
/** The headers of Node's `http`, of `fetch`, and of most servers. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export interface VerifyOptions {
    /** Seconds between the clocks, and of a late delivery. Default: 300. */
    tolerance?: number;
}
/**
 * The event of a webhook, or InvalidSignature; InvalidResponse if a signed body is not JSON. Give the body as it came,
 * not decoded and encoded again, and while a secret is being replaced, both.
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secrets: string | string[], options?: VerifyOptions): Promise<Event>;
/** The headers that Frontdesk sends with a webhook, for tests of a receiver. */
export declare function signWebhook(id: string, body: string | Uint8Array, secrets: string | string[], timestamp?: number): Promise<Record<string, string>>;
