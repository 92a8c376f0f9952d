"""Changes before descriptions were published."""

from frontdesk.changelog.types import Change, added, modified, removed

_FIRST_PATHS = ("customers", "products", "providers", "get-availability", "payment-methods")
_TILL = (
    "POST /tags",
    "POST /pos/orders",
    "POST /pos/checkout-calculate",
    "GET /tags",
    "GET /services/{serviceId}/staff",
    "GET /metadata/{teamId}",
    "GET /items",
    "GET /customers/find",
    "DELETE /tags/{tagId}",
)

# Newest first: title, interface, changes. Their days are not known.
EARLIER: tuple[tuple[str, str, tuple[Change, ...]], ...] = (
    (
        "POS API: point of sale and tags",
        "key-api",
        tuple(added(name, "was added") for name in _TILL),
    ),
    (
        "Open API replaces the earlier generations",
        "open-api",
        (
            *(removed(f"/{path}", "was removed; its successor is under /open-api/v1") for path in _FIRST_PATHS),
            modified("authentication", "changed from an API key header to OAuth 2.0 client credentials", breaking=True),
        ),
    ),
    (
        "API key authentication",
        "open-api",
        (modified("authentication", "changed from OAuth 2.0 client credentials to an API key header", breaking=True),),
    ),
    (
        "First generation, at paths without a prefix",
        "open-api",
        (
            *(added(f"/{path}", "was added") for path in _FIRST_PATHS),
            added("authentication", "OAuth 2.0 client credentials were added"),
        ),
    ),
)
