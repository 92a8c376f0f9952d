"""What a business ticks of what an application asks for."""

from collections.abc import Collection, Sequence

from frontdesk.applications.types import RequestedScope
from frontdesk.auth.scopes import Scope
from frontdesk.errors import invalid


def validate_selection(asked: Sequence[RequestedScope], ticked: Collection[str]) -> list[str]:
    """In the order of all scopes. Nothing that is not asked for, and everything that is required."""
    offered = {one.scope: one for one in asked}
    beyond = [scope for scope in ticked if scope not in offered]
    if beyond:
        raise invalid({"scopes": [f"{beyond[0]!r} is not requested"]})
    lacking = [one.scope for one in asked if one.required and one.scope not in ticked]
    if lacking:
        raise invalid({f"scopes.{scope}": ["cannot be left out"] for scope in lacking})
    if not ticked:
        raise invalid({"scopes": ["must have at least 1 entry"]})
    return [scope.value for scope in Scope if scope in ticked]
