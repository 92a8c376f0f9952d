"""What Schemathesis cannot read in a description: texts are trimmed, a kept answer tells of what may be gone, and a
response with chosen fields lacks others.
"""

import re
from typing import Any
from uuid import uuid4

import schemathesis

_SOUND_KEY = re.compile("[!-~]{1,255}")


@schemathesis.hook
def filter_query(_context: Any, query: Any) -> bool:
    return _is_trimmed(query)


@schemathesis.hook
def filter_body(_context: Any, body: Any) -> bool:
    return _is_trimmed(body)


@schemathesis.hook
def map_query(_context: Any, query: Any) -> Any:
    """Without `fields`: a response with some has not all that its schema requires, as its description says."""
    return {name: value for name, value in query.items() if name != "fields"} if isinstance(query, dict) else query


@schemathesis.hook
def map_headers(_context: Any, headers: Any) -> Any:
    """Each request has a key of its own: the answers to repeated ones are another test's business."""
    if headers and isinstance(sent := headers.get("Idempotency-Key"), str) and _SOUND_KEY.fullmatch(sent):
        headers["Idempotency-Key"] = uuid4().hex
    return headers


def _is_trimmed(value: Any) -> bool:
    """A limit counts what is left of a text without the space around it."""
    if isinstance(value, str):
        return value == value.strip()
    if isinstance(value, dict):
        return all(_is_trimmed(inner) for inner in value.values())
    return not isinstance(value, list) or all(_is_trimmed(inner) for inner in value)
