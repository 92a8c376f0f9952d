"""The authorization code flow of an application, with nothing but the standard library."""

import base64
import hashlib
import json
import secrets
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode


class Rejected(Exception):
    """The answer is not for this visitor, or the service refused. The message is shown to the visitor."""


@dataclass(frozen=True)
class Attempt:
    """One visitor on the way to the consent page. It stays on the server; the visitor has only a cookie for it."""

    state: str
    code_verifier: str


@dataclass(frozen=True)
class Service:
    """What the metadata says (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str


def find_service(origin: str) -> Service:
    with urllib.request.urlopen(f"{origin}/.well-known/oauth-authorization-server") as response:  # noqa: S310 - the caller chose the origin
        found = json.load(response)
    return Service(found["issuer"], found["authorization_endpoint"], found["token_endpoint"])


def begin() -> Attempt:
    return Attempt(secrets.token_urlsafe(24), secrets.token_urlsafe(48))


def authorization_url(service: Service, client_id: str, redirect_uri: str, attempt: Attempt) -> str:
    digest = hashlib.sha256(attempt.code_verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "state": attempt.state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    return f"{service.authorization_endpoint}?{urlencode(query)}"


def finish(
    service: Service, client_id: str, redirect_uri: str, attempt: Attempt | None, received: dict[str, str]
) -> dict[str, Any]:
    """Exchanges the code for the credentials of the install."""
    if attempt is None or not secrets.compare_digest(attempt.state.encode(), received.get("state", "").encode()):
        raise Rejected("This answer belongs to another visit. Connect again.")
    if received.get("iss") != service.issuer:
        raise Rejected("This answer comes from another service.")
    if "error" in received:
        raise Rejected(received.get("error_description") or received["error"])
    body = {
        "grant_type": "authorization_code",
        "client_id": client_id,
        "code": received.get("code", ""),
        "redirect_uri": redirect_uri,
        "code_verifier": attempt.code_verifier,
    }
    request = urllib.request.Request(service.token_endpoint, urlencode(body).encode())  # noqa: S310 - of the metadata
    try:
        with urllib.request.urlopen(request) as response:  # noqa: S310 - of the metadata
            issued: dict[str, Any] = json.load(response)
    except urllib.error.HTTPError as error:
        raise Rejected(json.load(error)["message"]) from error
    return issued
