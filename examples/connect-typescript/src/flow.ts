// The authorization code flow of an application, with nothing but what Node brings.
import { createHash, randomBytes } from "node:crypto";

/** The answer is not for this visitor, or the service refused. The message is shown to the visitor. */
export class Rejected extends Error {}

/** One visitor on the way to the consent page. It stays on the server; the visitor has only a cookie for it. */
export interface Attempt {
  state: string;
  codeVerifier: string;
}

/** What the metadata says (RFC 8414). */
export interface Service {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
}

/** The credentials of the install. Keep the secret like a password. */
export interface Issued {
  client_id: string;
  client_secret: string;
  tenant_id: string;
  install_id: string;
  scope: string;
}

export async function findService(origin: string): Promise<Service> {
  const response = await fetch(`${origin}/.well-known/oauth-authorization-server`);
  if (!response.ok) throw new Error(`${origin} is no Frontdesk server: ${response.status}`);
  return (await response.json()) as Service;
}

export function begin(): Attempt {
  return { state: randomBytes(24).toString("base64url"), codeVerifier: randomBytes(48).toString("base64url") };
}

export function authorizationUrl(service: Service, clientId: string, redirectUri: string, attempt: Attempt): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state: attempt.state,
    code_challenge: createHash("sha256").update(attempt.codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return `${service.authorization_endpoint}?${query}`;
}

/** Checks that the answer belongs to this attempt and comes from this service, then exchanges its code. */
export async function finish(
  service: Service,
  clientId: string,
  redirectUri: string,
  attempt: Attempt | undefined,
  received: URLSearchParams,
): Promise<Issued> {
  if (attempt === undefined || received.get("state") !== attempt.state) {
    throw new Rejected("this answer belongs to another visit: start again");
  }
  if (received.get("iss") !== service.issuer) throw new Rejected("this answer comes from another service");
  const error = received.get("error");
  if (error !== null) throw new Rejected(received.get("error_description") ?? error);
  const response = await fetch(service.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code: received.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: attempt.codeVerifier,
    }),
  });
  const body = (await response.json()) as Issued & { message?: string };
  if (!response.ok) throw new Rejected(body.message ?? "the code could not be exchanged");
  return body;
}
