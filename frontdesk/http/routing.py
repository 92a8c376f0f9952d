"""Routing: a tree of path segments, in which a literal segment has precedence over a parameter."""

import re
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from frontdesk.http.problems import RequestProblem
from frontdesk.problems import Problem, not_found
from frontdesk.values.ids import uuid_from_int

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


class Routed(Protocol):
    """A route: its method, and its path with {parameters}."""

    @property
    def method(self) -> str: ...

    @property
    def path(self) -> str: ...


R = TypeVar("R", bound=Routed)


class _Node(Generic[R]):
    """A node of the tree of paths."""

    __slots__ = ("literals", "methods", "parameter")

    def __init__(self) -> None:
        self.literals: dict[str, _Node[R]] = {}
        self.parameter: _Node[R] | None = None
        self.methods: dict[str, R] = {}


class Routes(Generic[R]):
    def __init__(self, entries: Iterable[R]) -> None:
        self._root: _Node[R] = _Node()
        for entry in entries:
            self._place(entry)

    def find(self, method: str, path: str) -> tuple[R, list[str]]:
        """The route, and the values of its path parameters."""
        node, values = self._root, []
        for segment in path.removeprefix("/").split("/"):
            step = node.literals.get(segment)
            if step is None:
                step = node.parameter
                values.append(segment)
            if step is None or (not segment and path != "/"):
                raise not_found("address")
            node = step
        if not node.methods:
            raise not_found("address")
        entry = node.methods.get(method)
        if entry is None:
            raise _method_not_allowed(node.methods)
        return entry, values

    def _place(self, entry: R) -> None:
        node = self._root
        for segment in entry.path.removeprefix("/").split("/"):
            if segment.startswith("{"):
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.literals.setdefault(segment, _Node())
        node.methods[entry.method] = entry


def path_id(text: str) -> UUID:
    """Stricter than uuid.UUID, which accepts braces, "urn:uuid:" and non-ASCII digits."""
    if not _UUID.fullmatch(text):
        raise not_found("record")
    return uuid_from_int(int(text.replace("-", ""), 16))


def _method_not_allowed(methods: Iterable[str]) -> Problem:
    allowed = sorted({*methods, *(["HEAD"] if "GET" in methods else [])})
    return Problem(RequestProblem.WRONG_METHOD, allowed=allowed)
