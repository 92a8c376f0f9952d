"""What nothing but the description of an operation needs to know."""

from typing import Any

import msgspec

JSON = "application/json"


class EndpointDocs(msgspec.Struct, frozen=True):
    text: str = ""  # what its fields cannot tell
    takes: Any = None  # the type of a body that the handler reads by itself
    media: tuple[str, ...] = (JSON,)  # of the answer
    headers: tuple[str, ...] = ()  # of the answer, beyond those that all have
    tagged: bool = False  # carries an ETag, and answers 304 to whoever has it already


DEFAULT = EndpointDocs()
