"""curl commands with the new credentials, to paste into a terminal."""

from collections.abc import Iterable

# The example requests the first of these that the client may read.
_READABLE = (
    ("orders:read", "/orders"),
    ("items:read", "/items"),
    ("customers:read", "/customers"),
    ("staff:read", "/staff"),
    ("branches:read", "/branches"),
    ("categories:read", "/categories"),
    ("transactions:read", "/transactions"),
    ("payment_methods:read", "/payment-methods"),
)


def client_curl_example(origin: str, client: str, secret: str, scopes: Iterable[str]) -> str:
    """Requests a token, then reads a list with it. For a client without read scopes, only the token."""
    token_request = (
        f"curl -s {origin}/open-api/v1/oauth/token -d grant_type=client_credentials "
        f"-d client_id={client} -d client_secret={secret}"
    )
    allowed = set(scopes)
    path = next((path for scope, path in _READABLE if scope in allowed), None)
    if path is None:
        return token_request
    extract = """sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'"""
    list_request = f'curl -s "{origin}/open-api/v1{path}?per_page=3" -H "Authorization: Bearer $TOKEN"'
    return f"TOKEN=$({token_request} | {extract})\n{list_request}"


def key_curl_example(origin: str, key: str) -> str:
    return f'curl -s "{origin}/api/v1/items?per_page=3" -H "X-Api-Key: {key}"'
