"""Pagination of the lists of both APIs."""

import msgspec

from frontdesk.http.field_paths import flat
from frontdesk.http.field_types import PageNumber, PageSize
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, page_response
from frontdesk.values.envelopes import DataResponse, PageResponse
from frontdesk.values.pagination import Page, PageRequest

__all__ = ["DataResponse", "PageQuery", "PageResponse", "list_response"]


class PageQuery(msgspec.Struct, kw_only=True):
    page: PageNumber = 1
    per_page: PageSize = 25

    def request(self) -> PageRequest:
        return PageRequest(self.page, self.per_page)


def list_response(
    request: Request, query: PageQuery, page: Page, end: str | None = None, next_since: str | None = None
) -> Response:
    """The links repeat the filters of the request, so that they lead to pages of the same list.

    `end` is where this page ended, if the next one does not begin at a number of records.
    """
    filters = {"fields": ",".join(request.fields)} if request.fields else dict[str, str]()
    for name, field in zip(query.__struct_encode_fields__, query.__struct_fields__, strict=True):
        value = None if field in PageQuery.__struct_fields__ else getattr(query, field)
        if value is not None:
            filters |= flat(name, value)
    request.records = page.count(query.request())
    behind = None if end is None else filters | {"after": end}
    return page_response(page, query.request(), request.origin + request.path, filters, behind, next_since)
