"""The faults of a sandbox that befall requests. An error is answered as the description shows it, with nothing done."""

import asyncio
from uuid import UUID

from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.http.errors import STATUS, Code, WireError
from frontdesk.http.request import Request
from frontdesk.tenants.fault_queries import OF_REQUESTS, Fault, FaultKind, take_fault

_WAIT = 1  # second: who waits as long as Retry-After says is not held up for long
_WAITING = (429, 503)


async def befall(request: Request, tenant_id: UUID, operation: str) -> Fault | None:
    """Takes the next fault of the operation: raises its error, or waits. The caller does what is left of it."""
    async with request.connection() as conn:
        fault = await take_fault(conn, tenant_id, OF_REQUESTS, operation)
    if fault is not None and fault.kind is FaultKind.ERROR:
        raise injected_error(fault)
    if fault is not None and fault.kind is FaultKind.SLOW:
        await asyncio.sleep(fault.seconds or 0)
    return fault


def injected_error(fault: Fault) -> WireError:
    code = Code(fault.code or Code.AUTHENTICATION_FAILED)
    doc = ERROR_DOCS[code]
    details = dict(doc.details) if doc.details else None
    if details is not None and "retry_after" in details:
        details["retry_after"] = _WAIT
    waits = STATUS[code] in _WAITING or code is Code.IDEMPOTENCY_KEY_IN_USE
    headers = {"retry-after": str(_WAIT)} if waits else {}
    if STATUS[code] == 401:
        headers["www-authenticate"] = 'Bearer realm="frontdesk", error="invalid_token"'
    return WireError(code, doc.message, errors=doc.errors, details=details, headers=headers)
