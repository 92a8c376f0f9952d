import type { Schemas } from "./types.js";

/** The codes of this version of the API. A newer server may have others. */
export type ErrorCode = Schemas["Error"]["error"] | (string & {});

type Known = Schemas["Error"]["error"];

/** What `details` has, by code. */
export type DetailsOf<C extends Known> =
  Extract<Schemas["Error"], { error: C }> extends { details?: infer D } ? NonNullable<D> : Record<string, never>;

/** The base of every error that the client throws itself. */
export class FrontdeskError extends Error {
  override name = "FrontdeskError";
}

/** The API answered with an error (4xx or 5xx). */
export class ApiError extends FrontdeskError {
  override name = "ApiError";
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

  constructor(response: Response, text: string) {
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
  is<C extends Known>(code: C): this is ApiError & { code: C; details: DetailsOf<C> } {
    return this.code === code;
  }
}

/** No answer after the last attempt. A write may have happened: repeat it with the same idempotency key. */
export class ConnectionError extends FrontdeskError {
  override name = "ConnectionError";
}

/** The answer, or the body of a signed webhook, has a form that this version of the client cannot read. */
export class InvalidResponse extends FrontdeskError {
  override name = "InvalidResponse";
}

/** The webhook was not signed with one of the secrets, was changed, or is too old. */
export class InvalidSignature extends FrontdeskError {
  override name = "InvalidSignature";
}

interface ErrorBody {
  error?: string;
  message?: string;
  errors?: Record<string, string[]>;
  details?: Record<string, unknown>;
  request_id?: string;
  doc_url?: string;
}

function parsed(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body ? (body as ErrorBody) : {};
  } catch {
    return {}; // a page of a proxy
  }
}

/** The API sends seconds. The date form, which only a proxy would send, is ignored. */
export function retryAfter(response: Response): number | null {
  const value = response.headers.get("retry-after") ?? "";
  return /^[0-9]+$/.test(value) ? Number(value) : null;
}
