// Standard Webhooks (standardwebhooks.com): verified on receipt, signed in tests.
import { InvalidResponse, InvalidSignature } from "./errors.js";
const TOLERANCE = 300; // seconds
const PREFIX = "whsec_";
const HMAC = { name: "HMAC", hash: "SHA-256" };
/**
 * The event of a webhook, or InvalidSignature; InvalidResponse if a signed body is not JSON. Give the body as it came,
 * not decoded and encoded again, and while a secret is being replaced, both.
 */
export async function verifyWebhook(body, headers, secrets, options = {}) {
    const id = header(headers, "webhook-id");
    const timestamp = header(headers, "webhook-timestamp");
    if (!/^[0-9]{1,12}$/.test(timestamp)) {
        throw new InvalidSignature("the webhook-timestamp header is missing or not a number");
    }
    const tolerance = options.tolerance ?? TOLERANCE;
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) {
        throw new InvalidSignature(`the webhook-timestamp header is more than ${tolerance} seconds from now`);
    }
    const signatures = header(headers, "webhook-signature")
        .split(" ")
        .filter((signature) => signature.startsWith("v1,"))
        .map((signature) => fromBase64(signature.slice(3)));
    const content = signedContent(id, timestamp, bytes(body));
    for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
        const key = await importKey(secret, "verify");
        for (const signature of signatures) {
            // `verify` takes the same time whatever differs.
            if (signature && (await crypto.subtle.verify("HMAC", key, signature, content)))
                return parsed(text(body));
        }
    }
    throw new InvalidSignature("the webhook-signature header matches none of the secrets");
}
/** The headers that Frontdesk sends with a webhook, for tests of a receiver. */
export async function signWebhook(id, body, secrets, timestamp = Math.floor(Date.now() / 1000)) {
    const content = signedContent(id, String(timestamp), bytes(body));
    const signatures = [];
    for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
        const made = await crypto.subtle.sign("HMAC", await importKey(secret, "sign"), content);
        signatures.push(`v1,${btoa(String.fromCharCode(...new Uint8Array(made)))}`);
    }
    return {
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signatures.join(" "),
    };
}
function header(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? "";
    const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
    return (Array.isArray(found) ? found.join(" ") : found) ?? "";
}
async function importKey(secret, use) {
    const key = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
    if (key === null || key.length === 0)
        throw new TypeError("a webhook secret is whsec_ and Base64");
    return crypto.subtle.importKey("raw", key, HMAC, false, [use]);
}
function signedContent(id, timestamp, body) {
    const head = bytes(`${id}.${timestamp}.`);
    const content = new Uint8Array(head.length + body.length);
    content.set(head);
    content.set(body, head.length);
    return content;
}
function bytes(value) {
    return typeof value === "string" ? new TextEncoder().encode(value) : value;
}
function text(value) {
    return typeof value === "string" ? value : new TextDecoder().decode(value);
}
function parsed(content) {
    try {
        return JSON.parse(content);
    }
    catch {
        throw new InvalidResponse("the body of the webhook is signed, but is not JSON");
    }
}
/** Null if it is not Base64. */
function fromBase64(value) {
    try {
        return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    }
    catch {
        return null;
    }
}
