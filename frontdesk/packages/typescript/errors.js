/** The base of every error that the client throws itself. */
export class FrontdeskError extends Error {
    name = "FrontdeskError";
}
/** The API answered with an error (4xx or 5xx). */
export class ApiError extends FrontdeskError {
    name = "ApiError";
    status;
    /** Null if a proxy answered instead of the API. */
    code;
    /** What is wrong with which field: messages by its dotted path. */
    errors;
    details;
    requestId;
    /** The address of the documentation of this code. */
    docUrl;
    /** Seconds. */
    retryAfter;
    constructor(response, text) {
        const body = parsed(text);
        super(`${response.status} ${body.error ?? "(no error code)"}: ${body.message ?? text.slice(0, 200)}`);
        this.status = response.status;
        this.code = body.error ?? null;
        this.errors = body.errors ?? {};
        this.details = body.details ?? {};
        this.requestId = body.request_id ?? response.headers.get("x-request-id");
        this.docUrl = body.doc_url ?? null;
        this.retryAfter = retryAfter(response);
    }
    /** `if (error.is("timeslot_unavailable"))` gives `details` the type that it has with this code. */
    is(code) {
        return this.code === code;
    }
}
/** No answer after the last attempt. A write may have happened: repeat it with the same idempotency key. */
export class ConnectionError extends FrontdeskError {
    name = "ConnectionError";
}
/** The answer, or the body of a signed webhook, has a form that this version of the client cannot read. */
export class InvalidResponse extends FrontdeskError {
    name = "InvalidResponse";
}
/** The webhook was not signed with one of the secrets, was changed, or is too old. */
export class InvalidSignature extends FrontdeskError {
    name = "InvalidSignature";
}
function parsed(text) {
    try {
        const body = JSON.parse(text);
        return typeof body === "object" && body !== null && "error" in body ? body : {};
    }
    catch {
        return {}; // a page of a proxy
    }
}
/** The API sends seconds. The date form, which only a proxy would send, is ignored. */
export function retryAfter(response) {
    const value = response.headers.get("retry-after") ?? "";
    return /^[0-9]+$/.test(value) ? Number(value) : null;
}
