"""A line to paste into a terminal that works at once, with the credentials that were just made."""

from collections.abc import Iterable

# The first of these that a client may read is what its first call reads.
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
    """Takes a token, then reads something with it; a client that may only write is shown its token."""
    ask = (
        f"curl -s {origin}/open-api/v1/oauth/token -d grant_type=client_credentials "
        f"-d client_id={client} -d client_secret={secret}"
    )
    allowed = set(scopes)
    path = next((path for scope, path in _READABLE if scope in allowed), None)
    if path is None:
        return ask
    cut = """sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'"""
    return f'TOKEN=$({ask} | {cut})\ncurl -s "{origin}/open-api/v1{path}?per_page=3" -H "Authorization: Bearer $TOKEN"'


def key_curl_example(origin: str, key: str) -> str:
    return f'curl -s "{origin}/api/v1/items?per_page=3" -H "X-Api-Key: {key}"'
