"""What a business lets an API client read in a day is counted before the response is sent."""

from frontdesk.auth.budgets import charge
from frontdesk.http.request import Request


async def charge_budget(request: Request, scope: str | None) -> None:
    if request.method == "GET" and scope is not None and scope in request.caller.budgeted_scopes:
        async with request.connection() as conn:
            await charge(conn, request.caller.tenant_id, request.caller.id, scope, request.records)
