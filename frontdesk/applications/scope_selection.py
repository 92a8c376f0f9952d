"""Validates the scopes that a business selects for an application."""

from collections.abc import Collection, Sequence

from frontdesk.applications.types import RequestedScope
from frontdesk.auth.scopes import Scope
from frontdesk.errors import invalid


def validate_selection(requested: Sequence[RequestedScope], selected: Collection[str]) -> list[str]:
    """The selected scopes in their usual order. All must be requested, and the required ones must be selected."""
    names = {scope.scope for scope in requested}
    not_requested = [scope for scope in selected if scope not in names]
    if not_requested:
        raise invalid({"scopes": [f"{not_requested[0]!r} is not requested"]})
    missing = [scope.scope for scope in requested if scope.required and scope.scope not in selected]
    if missing:
        raise invalid({f"scopes.{scope}": ["cannot be left out"] for scope in missing})
    if not selected:
        raise invalid({"scopes": ["must have at least 1 entry"]})
    return [scope.value for scope in Scope if scope in selected]
