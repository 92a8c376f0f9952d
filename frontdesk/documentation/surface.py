"""Everything that is there to be read without an account: descriptions, documentation, changelog."""

from collections.abc import Awaitable, Callable
from functools import partial

from frontdesk.documentation.descriptions import description_addresses, description_page
from frontdesk.web.answers import Answer
from frontdesk.web.call import Call

Page = Callable[[Call], Awaitable[Answer]]


def documentation() -> dict[str, Page]:
    """Address to page."""
    pages: dict[str, Page] = {}
    for address, name in description_addresses().items():
        pages[address] = partial(description_page, name)
    return pages
