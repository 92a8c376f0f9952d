"""What every list of both interfaces takes and gives."""

import msgspec

from frontdesk.kit.envelopes import DataOf, PageOf
from frontdesk.kit.paging import Page, PageRequest
from frontdesk.web.answers import Answer, page_answer
from frontdesk.web.call import Call
from frontdesk.web.fields import PageNumber, PageSize

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
