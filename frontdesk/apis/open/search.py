from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.search.documents import SearchResults
from frontdesk.search.queries import search_records

operations = Endpoints()


class SearchQuery(msgspec.Struct):
    q: Annotated[str, Meta(min_length=1, max_length=255)]
    limit: Annotated[int, Meta(ge=1, le=25)] = 10


@operations.get("/search", response=DataResponse[SearchResults], errors=[Code.BUDGET_EXCEEDED])
async def search(request: Request, query: SearchQuery) -> Response:
    """Search customers, orders, items and staff.

    Customers are found by parts of their name, phone number or e-mail address, orders by their number, items and
    packages by parts of their name or by a whole SKU or barcode, staff by parts of their name. A kind that the token
    has no scope to read is null.
    """
    found = await request.fetch(search_records(query.q.strip(), query.limit))
    request.extra_scopes.update(found.records)
    return data_response(found.document)
