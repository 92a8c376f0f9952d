"""Validates the scopes that a business selects for an application."""

from collections.abc import Collection, Sequence

from frontdesk.applications.problems import InstallProblem
from frontdesk.applications.types import RequestedScope
from frontdesk.auth.scopes import Scope
from frontdesk.problems import Problem, raise_all


def validate_selection(requested: Sequence[RequestedScope], selected: Collection[str]) -> list[str]:
    """The selected scopes in their usual order. All must be requested, and the required ones must be selected."""
    names = {scope.scope for scope in requested}
    not_requested = [scope for scope in selected if scope not in names]
    if not_requested:
        raise Problem(InstallProblem.SCOPE_NOT_REQUESTED, "scopes", scope=not_requested[0])
    missing = [scope.scope for scope in requested if scope.required and scope.scope not in selected]
    raise_all([Problem(InstallProblem.SCOPE_NEEDED, "scopes", scope) for scope in missing])
    if not selected:
        raise Problem(InstallProblem.SCOPE_REQUIRED, "scopes")
    return [scope.value for scope in Scope if scope in selected]
