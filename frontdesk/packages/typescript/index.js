export { Client } from "./client.js";
export { ApiError, ConnectionError, FrontdeskError, InvalidResponse, InvalidSignature, } from "./errors.js";
export { signWebhook, verifyWebhook } from "./webhooks.js";
