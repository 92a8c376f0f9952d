/** Waits grow from `initialDelay` to `maxDelay`. A `Retry-After` of the server comes first. */
export interface RetryPolicy {
    maxAttempts: number;
    /** Seconds. */
    initialDelay: number;
    /** Seconds. A longer wait is not waited for: the error is thrown. */
    maxDelay: number;
}
export declare const DEFAULT_RETRY_POLICY: RetryPolicy;
/** The first response that is not worth another attempt. */
export declare function withRetries(policy: RetryPolicy, signal: AbortSignal | undefined, send: () => Promise<Response>): Promise<Response>;
