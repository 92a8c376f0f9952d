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


def client_curl_example(
    origin: str, client: str, secret: str, scopes: Iterable[str], *, api_key: str | None = None
) -> str:
    """Sets the variables of the guides, requests a token, and reads a list with it if the client may read one."""
    variables = {"ORIGIN": origin, "BASE": "$ORIGIN/open-api/v1", "CLIENT_ID": client, "CLIENT_SECRET": secret}
    variables |= {"API_KEY": api_key} if api_key else {}
    extract = """sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'"""
    credentials = "-d grant_type=client_credentials -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET"
    variables["TOKEN"] = f"$(curl -s $BASE/oauth/token {credentials} | {extract})"
    lines = [f"export {name}={value}" for name, value in variables.items()]
    allowed = set(scopes)
    path = next((path for scope, path in _READABLE if scope in allowed), None)
    lines.append(f'curl -s "$BASE{path}?per_page=3" -H "Authorization: Bearer $TOKEN"' if path else "echo $TOKEN")
    return "\n".join(lines)


def key_curl_example(origin: str, key: str) -> str:
    return f'curl -s "{origin}/api/v1/items?per_page=3" -H "X-Api-Key: {key}"'
