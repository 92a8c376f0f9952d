from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from frontdesk.http.errors import Code

Values = Mapping[str, Any]


class Answer(NamedTuple):
    """The text has the values of the problem by name. That of a field completes a sentence that its name begins."""

    text: str
    code: Code = Code.VALIDATION_ERROR
    details: Callable[[Values], Values] | None = None
    headers: Mapping[str, str] = {}


def named(*names: str) -> Callable[[Values], Values]:
    """These values as details."""
    return lambda values: {name: values[name] for name in names}
