import type { Schemas } from "./types.js";
/** The codes of this version of the API. A newer server may have others. */
export type ErrorCode = Schemas["Error"]["error"] | (string & {});
type Known = Schemas["Error"]["error"];
/** What `details` has, by code. */
export type DetailsOf<C extends Known> = Extract<Schemas["Error"], {
    error: C;
}> extends {
    details?: infer D;
} ? NonNullable<D> : Record<string, never>;
/** The base of every error that the client throws itself. */
export declare class FrontdeskError extends Error {
    name: string;
}
/** The API answered with an error (4xx or 5xx). */
export declare class ApiError extends FrontdeskError {
    name: string;
    readonly status: number;
    /** Null if a proxy answered instead of the API. */
    readonly code: ErrorCode | null;
    /** What is wrong with which field: messages by its dotted path. */
    readonly errors: Record<string, string[]>;
    readonly details: Record<string, unknown>;
    readonly requestId: string | null;
    /** The address of the documentation of this code. */
    readonly docUrl: string | null;
    /** Seconds. */
    readonly retryAfter: number | null;
    constructor(response: Response, text: string);
    /** `if (error.is("timeslot_unavailable"))` gives `details` the type that it has with this code. */
    is<C extends Known>(code: C): this is ApiError & {
        code: C;
        details: DetailsOf<C>;
    };
}
/** No answer after the last attempt. A write may have happened: repeat it with the same idempotency key. */
export declare class ConnectionError extends FrontdeskError {
    name: string;
}
/** The answer, or the body of a signed webhook, has a form that this version of the client cannot read. */
export declare class InvalidResponse extends FrontdeskError {
    name: string;
}
/** The webhook was not signed with one of the secrets, was changed, or is too old. */
export declare class InvalidSignature extends FrontdeskError {
    name: string;
}
/** The API sends seconds. The date form, which only a proxy would send, is ignored. */
export declare function retryAfter(response: Response): number | null;
export {};
