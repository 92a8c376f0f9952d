"""The request with which an application asks a business to install it (OAuth 2.0 authorization code with PKCE)."""

import base64
import hashlib
import hmac
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

import msgspec

from frontdesk.applications.types import RequestedScope
from frontdesk.auth.scopes import WILDCARD

MAX_REQUEST = 3000  # characters of the query string
CHALLENGE_METHOD = "S256"
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class AuthorizationRequest(msgspec.Struct, frozen=True):
    """As it was sent. Its parameters are not trimmed: the application compares `state`."""

    client_id: str = ""
    redirect_uri: str = ""
    response_type: str = ""
    response_mode: str = ""
    state: str = ""
    scope: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


class AuthorizationError(NamedTuple):
    error: str  # a code of RFC 6749
    description: str


def read_request(query: str) -> AuthorizationRequest | None:
    """None if it cannot be read: not UTF-8, too long, or with a parameter twice. Other parameters are ignored."""
    if len(query) > MAX_REQUEST:
        return None
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError:
        return None
    known = [(name, value) for name, value in pairs if name in AuthorizationRequest.__struct_fields__]
    if len(dict(known)) < len(known) or any("\0" in value for _, value in known):
        return None
    return msgspec.convert(dict(known), AuthorizationRequest)


def find_problem(request: AuthorizationRequest, requested: Sequence[RequestedScope]) -> AuthorizationError | None:
    """What is wrong with a request whose application and redirect address are known."""
    names = {scope.scope for scope in requested} | {WILDCARD}
    problems = (
        (not request.response_type, "invalid_request", "response_type is required."),
        (request.response_type != "code", "unsupported_response_type", "response_type must be code."),
        (request.response_mode not in ("", "query"), "invalid_request", "response_mode must be query."),
        (not request.state, "invalid_request", "state is required."),
        (
            request.code_challenge_method != CHALLENGE_METHOD,
            "invalid_request",
            "code_challenge_method must be S256.",
        ),
        (
            not _CHALLENGE.fullmatch(request.code_challenge),
            "invalid_request",
            "code_challenge must be a SHA-256 hash in base64url without padding.",
        ),
        (
            not names.issuperset(request.scope.split()),
            "invalid_scope",
            "scope has a scope that the application does not request on its page.",
        ),
    )
    return next((AuthorizationError(error, description) for found, error, description in problems if found), None)


def offered_scopes(
    request: AuthorizationRequest, requested: Sequence[RequestedScope], approved: Collection[str]
) -> list[RequestedScope]:
    """Those the request names, or all of them; always the required ones and those that are approved already."""
    named = set(request.scope.split())
    if not named or WILDCARD in named:
        return list(requested)
    return [scope for scope in requested if scope.required or scope.scope in named or scope.scope in approved]


def verifier_matches(verifier: str, challenge: str) -> bool:
    if not _VERIFIER.fullmatch(verifier):
        return False
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return hmac.compare_digest(digest, challenge.encode())
