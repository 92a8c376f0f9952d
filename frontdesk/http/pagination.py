"""What every list of both interfaces takes and gives."""

import msgspec

from frontdesk.http.field_types import PageNumber, PageSize
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, page_answer
from frontdesk.values.envelopes import DataOf, PageOf
from frontdesk.values.pagination import Page, PageRequest

__all__ = ["DataOf", "PageOf", "PageQuery", "list_answer"]


class PageQuery(msgspec.Struct, kw_only=True):
    page: PageNumber = 1
    per_page: PageSize = 25

    def request(self) -> PageRequest:
        return PageRequest(self.page, self.per_page)


def list_answer(call: Call, query: PageQuery, page: Page) -> Answer:
    """Links repeat every filter that was given, so that following them stays in the same list."""
    fields = zip(query.__struct_encode_fields__, query.__struct_fields__, strict=True)
    given = {name: getattr(query, field) for name, field in fields if name not in ("page", "per_page")}
    filters = [(name, str(value)) for name, value in given.items() if value is not None]
    return page_answer(page, query.request(), call.origin + call.path, filters)
