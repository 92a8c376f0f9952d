"""A key that is bound to a branch neither sees nor does anything outside it.

What has no branch (customers, tags, payment methods) belongs to the whole business, and every key works with it.
Another branch's record is unknown: 404 in a path, 422 in a query or body.
"""

from uuid import UUID

from frontdesk.errors import invalid, not_found
from frontdesk.http.request import Request


def require_branch_of_path(request: Request, branch_id: UUID) -> None:
    if request.caller.branch_id not in (None, branch_id):
        raise not_found("branch")


def branch_of_query(request: Request, team_id: UUID | None) -> UUID | None:
    """The branch to look in: the one that was asked for, or the key's own."""
    if team_id is not None and request.caller.branch_id not in (None, team_id):
        raise invalid({"team_id": ["is not the branch that this key is bound to"]})
    return team_id or request.caller.branch_id
