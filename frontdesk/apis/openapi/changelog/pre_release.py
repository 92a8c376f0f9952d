"""What happened before descriptions were kept."""

from frontdesk.apis.openapi.changelog.types import Change, added, modified, removed

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
        "Tills and tags: the key interface grows",
        "key-api",
        tuple(added(name, "is new") for name in _TILL),
    ),
    (
        "The Open API takes the place of the earlier generations",
        "open-api",
        (
            *(removed(f"/{path}", "is gone: its successor stands below /open-api/v1") for path in _FIRST_PATHS),
            modified("authentication", "an API key in a header gives way to client credentials", breaking=True),
        ),
    ),
    (
        "A generation with an API key",
        "open-api",
        (modified("authentication", "client credentials give way to an API key in a header", breaking=True),),
    ),
    (
        "The first generation, at paths without a prefix",
        "open-api",
        (
            *(added(f"/{path}", "is new") for path in _FIRST_PATHS),
            added("authentication", "client credentials (OAuth 2.0)"),
        ),
    ),
)
