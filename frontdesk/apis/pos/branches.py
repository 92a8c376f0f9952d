"""An API key that is bound to a branch can access only that branch.

Records without a branch (customers, tags, payment methods) are accessible to every key of the tenant. A record of
another branch is unknown: 404 in a path, 422 in a query or body.
"""

from uuid import UUID

from frontdesk.http.errors import invalid
from frontdesk.http.request import Request
from frontdesk.problems import not_found


def require_branch_of_path(request: Request, branch_id: UUID) -> None:
    if request.caller.branch_id not in (None, branch_id):
        raise not_found("branch")


def branch_of_query(request: Request, team_id: UUID | None) -> UUID | None:
    """The requested branch, else the branch of the key."""
    if team_id is not None and request.caller.branch_id not in (None, team_id):
        raise invalid({"team_id": ["is not the branch that this key is bound to"]})
    return team_id or request.caller.branch_id
