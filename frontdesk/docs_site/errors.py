"""A page for each error code: the address that every error body names."""

import json
from functools import cache

from frontdesk.apis.openapi.error_docs import ERROR_DOCS
from frontdesk.docs_site.operations import Operation, operations
from frontdesk.docs_site.pages import page
from frontdesk.http.errors import ERROR_PAGES, STATUS, Code
from frontdesk.http.request import Request
from frontdesk.http.responses import Response


def error_addresses() -> dict[str, Code]:
    return {f"{ERROR_PAGES}/{code}": code for code in Code}


async def error_page(code: Code, request: Request) -> Response:
    doc = ERROR_DOCS[code]
    return page(
        request,
        "error_code.html",
        title=code.value,
        here=f"{ERROR_PAGES}/{code}",
        code=code,
        status=STATUS[code],
        doc=doc,
        answer=json.dumps(doc.example(code, request.origin), indent=2),
        codes=sorted(Code),
        index=ERROR_PAGES,
        operations=_operations(code),
    )


@cache
def _operations(code: Code) -> list[Operation]:
    """Those that can answer with it, if not all can."""
    all_ = operations()
    found = [operation for operation in all_ if code in {error.code for error in operation.errors}]
    return found if len(found) < len(all_) else []
