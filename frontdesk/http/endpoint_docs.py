"""Properties of an endpoint that only its OpenAPI description uses."""

from typing import Any

import msgspec

JSON = "application/json"


class EndpointDocs(msgspec.Struct, frozen=True):
    text: str = ""  # beyond the descriptions of its fields
    takes: Any = None  # the type of a body that the handler decodes itself
    or_takes: Any = None  # another type of that body
    media: tuple[str, ...] = (JSON,)  # of the response
    headers: tuple[str, ...] = ()  # of the response, beyond those that all have
    has_etag: bool = False  # the response has an ETag, and If-None-Match is answered with 304


DEFAULT = EndpointDocs()
