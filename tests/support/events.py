"""The events of a business as GET /events lists them."""

from typing import Any

from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

# What applications store with a record, if they store nothing.
NO_CUSTOM_DATA: Document = {"external_id": None, "metadata": {}}


class EventRecorder:
    """Collects the events from now on."""

    def __init__(self, shop: Shop, after: int) -> None:
        self.shop = shop
        self._after = after

    async def new_events(self, **query: Any) -> list[Document]:
        """Every event since the last time, in order."""
        found: list[Document] = []
        while True:
            answer = await self.shop.get("/events", params={"after": self._after, "per_page": 100, **query})
            page: list[Document] = json_exact(answer)["data"]
            if not page:
                return found
            found += page
            self._after = page[-1]["sequence"]

    async def types(self) -> list[str]:
        return [event["type"] for event in await self.new_events()]

    async def one(self, kind: str) -> Any:
        """The data of the only event since the last time, which is of this kind."""
        events = await self.new_events()
        assert [event["type"] for event in events] == [kind], events
        return events[0]["data"]


async def record_events(shop: Shop) -> EventRecorder:
    (row,) = await shop.sql(
        "SELECT coalesce((SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'events'), 0) AS value"
    )
    return EventRecorder(shop, row["value"])


def as_in_events(record: Document) -> Document:
    """Events, searches and tills have nothing of what applications store."""
    assert NO_CUSTOM_DATA.items() <= record.items()
    return {field: value for field, value in record.items() if field not in NO_CUSTOM_DATA}
