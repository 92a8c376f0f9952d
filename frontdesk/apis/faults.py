"""The faults of a sandbox that befall requests. An error is answered as the description shows it, with nothing done."""

import asyncio
from uuid import UUID

from frontdesk.apis.openapi.error_docs import ERROR_DOCS, ErrorDoc
from frontdesk.http.errors import STATUS, Code, OperationErrors, WireError
from frontdesk.http.request import Request
from frontdesk.tenants.fault_queries import OF_REQUESTS, Fault, FaultKind, take_fault

_WAIT = 1  # second: who waits as long as Retry-After says is not held up for long
_WAITING = (429, 503)


async def befall(request: Request, tenant_id: UUID, operation: str) -> Fault | None:
    """Takes the next fault of the operation: raises its error, or waits. The caller does what is left of it."""
    async with request.connection() as conn:
        fault = await take_fault(conn, tenant_id, OF_REQUESTS, operation)
    if fault is not None and fault.kind is FaultKind.ERROR:
        raise injected_error(fault, request.resources.operations.get(operation))
    if fault is not None and fault.kind is FaultKind.SLOW:
        await asyncio.sleep(fault.seconds or 0)
    return fault


def injected_error(fault: Fault, operation: OperationErrors | None) -> WireError:
    code = Code(fault.code or Code.AUTHENTICATION_FAILED)
    doc = _example(code, operation)
    details = dict(doc.details) if doc.details else None
    if details is not None and "retry_after" in details:
        details["retry_after"] = _WAIT
    waits = STATUS[code] in _WAITING or code is Code.IDEMPOTENCY_KEY_IN_USE
    headers = {"retry-after": str(_WAIT)} if waits else {}
    if STATUS[code] == 401:
        headers["www-authenticate"] = 'Bearer realm="frontdesk", error="invalid_token"'
    if code is Code.INSUFFICIENT_SCOPE and doc.details is not None:
        scope = doc.details["scope"]
        headers["www-authenticate"] = f'Bearer realm="frontdesk", error="insufficient_scope", scope="{scope}"'
    return WireError(code, doc.message, errors=doc.errors, details=details, headers=headers)


def _example(code: Code, operation: OperationErrors | None) -> ErrorDoc:
    """That of the description, but about what this operation takes."""
    doc = ERROR_DOCS[code]
    if operation is None:
        return doc
    if code is Code.INSUFFICIENT_SCOPE and operation.scope:
        return doc._replace(
            message=doc.message.replace("orders:write", operation.scope), details={"scope": operation.scope}
        )
    if code in (Code.VALIDATION_ERROR, Code.BAD_REQUEST) and operation.field:
        text = "is required" if operation.is_required else "has an invalid value"
        return doc._replace(message=f"{operation.field} {text}.", errors={operation.field: [text]})
    return doc._replace(message="No such record.") if code is Code.NOT_FOUND else doc
