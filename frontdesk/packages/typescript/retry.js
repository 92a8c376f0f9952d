import { ConnectionError, retryAfter } from "./errors.js";
export const DEFAULT_RETRY_POLICY = { maxAttempts: 5, initialDelay: 0.25, maxDelay: 60 };
// Such a request changed nothing, or can be repeated with the same Idempotency-Key.
const RETRYABLE = new Set([408, 409, 429, 500, 502, 503, 504]);
/** The first response that is not worth another attempt. */
export async function withRetries(policy, signal, send) {
    for (let attempt = 1;; attempt++) {
        const outcome = await send().catch((error) => failed(error, signal));
        const delay = delayAfter(policy, outcome, attempt);
        if (delay !== null) {
            if (outcome instanceof Response)
                await outcome.body?.cancel();
            await pause(delay, signal);
        }
        else if (outcome instanceof Response) {
            return outcome;
        }
        else {
            throw new ConnectionError(`no response after ${attempt} attempts: ${outcome.message}`, { cause: outcome });
        }
    }
}
function failed(error, signal) {
    signal?.throwIfAborted(); // the caller stopped it
    return error instanceof Error ? error : new Error(String(error));
}
/** Seconds until the next attempt, or null if there is none. */
function delayAfter(policy, outcome, attempt) {
    if (attempt >= policy.maxAttempts)
        return null;
    if (outcome instanceof Response && !RETRYABLE.has(outcome.status))
        return null;
    const asked = outcome instanceof Response ? retryAfter(outcome) : null;
    // A version conflict: only idempotency_key_in_use has a Retry-After.
    if (outcome instanceof Response && outcome.status === 409 && asked === null)
        return null;
    const backoff = Math.min(policy.initialDelay * 2 ** (attempt - 1), policy.maxDelay) * (0.5 + Math.random() / 2);
    const delay = asked ?? backoff;
    return delay <= policy.maxDelay ? delay : null;
}
async function pause(seconds, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, seconds * 1000);
        signal?.addEventListener("abort", stop, { once: true });
    });
}
