// A web application that a business connects by approving it.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { Client } from "frontdesk-client";
import { type Attempt, authorizationUrl, begin, findService, finish, Rejected } from "./flow.js";

const { values: options } = parseArgs({
  options: {
    origin: { type: "string", default: process.env.FRONTDESK_ORIGIN ?? "http://127.0.0.1:8000" },
    "client-id": { type: "string" },
    port: { type: "string", default: "8765" },
  },
});
const clientId = options["client-id"];
if (clientId === undefined) {
  console.error("give the client ID of the application: --client-id fda_…");
  process.exit(2);
}
const service = await findService(options.origin);
const attempts = new Map<string, Attempt>(); // by the cookie of the visitor
const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    answer(response, 500, "<h1>Something went wrong</h1>");
  });
});
server.listen(Number(options.port), "127.0.0.1", () => console.error(`open ${origin()}/`));

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function redirectUri(): string {
  return `${origin()}/connected`;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", origin());
  if (url.pathname === "/") {
    answer(response, 200, '<h1>Books</h1><p><a href="/connect">Connect my business</a></p>');
  } else if (url.pathname === "/connect") {
    sendAway(response);
  } else if (url.pathname === "/connected") {
    await comeBack(request, url.searchParams, response);
  } else {
    answer(response, 404, "<h1>Not found</h1>");
  }
}

function sendAway(response: ServerResponse): void {
  const visit = randomBytes(24).toString("base64url");
  const attempt = begin();
  attempts.set(visit, attempt);
  response.writeHead(303, {
    location: authorizationUrl(service, clientId ?? "", redirectUri(), attempt),
    "set-cookie": `visit=${visit}; HttpOnly; SameSite=Lax; Path=/`,
  });
  response.end();
}

async function comeBack(request: IncomingMessage, received: URLSearchParams, response: ServerResponse): Promise<void> {
  const visit = /(?:^|; )visit=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const attempt = attempts.get(visit);
  attempts.delete(visit);
  try {
    answer(response, 200, await connect(attempt, received));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    answer(response, 400, `<h1>Not connected</h1><p>${escaped(error.message)}</p>`);
  }
}

/** Stores the credentials (here: prints them) and uses them, as on every later day. */
async function connect(attempt: Attempt | undefined, received: URLSearchParams): Promise<string> {
  const issued = await finish(service, clientId ?? "", redirectUri(), attempt, received);
  console.log(JSON.stringify(issued));
  const frontdesk = new Client({
    baseUrl: `${options.origin}/open-api/v1`,
    clientId: issued.client_id,
    clientSecret: issued.client_secret,
  });
  const names: string[] = [];
  for await (const branch of frontdesk.list("/branches")) names.push(escaped(branch.name));
  return `<h1>Connected</h1><p>Its branches: ${names.join(", ")}</p>`;
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Books</title>${body}</html>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
