"""The Open API: its files, one per heading of the interface, under one prefix and one guard."""

from frontdesk.open_api import branches, categories, customers, items, oauth, payment_methods, staff
from frontdesk.open_api.guard import guard
from frontdesk.web.surface import Surface

PREFIX = "/open-api/v1"


def open_api() -> Surface:
    files = (oauth, branches, categories, items, staff, customers, payment_methods)
    return Surface("Open API", PREFIX, guard, [file.operations for file in files])
