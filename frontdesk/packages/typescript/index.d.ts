export { Client } from "./client.js";
export { ApiError, ConnectionError, type DetailsOf, type ErrorCode, FrontdeskError, InvalidResponse, InvalidSignature, } from "./errors.js";
export type { RetryPolicy } from "./retry.js";
export type { components, paths } from "./schema.js";
export type { Selection } from "./selection.js";
export type { Answered, Options } from "./session.js";
export type { CallOptions, Event, PageOf, RecordOf, Schemas, WriteOptions } from "./types.js";
export { signWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./webhooks.js";
