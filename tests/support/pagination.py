"""Reading a whole list by its own links, from either end; and rows in the form in which they are published."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx2

from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

Document = dict[str, Any]


async def read_all(shop: Shop, path: str, per_page: int, *, backward: bool = False) -> list[Document]:
    """Every record in the list's order, by following `next` from the first page or `prev` from the last."""
    headers = {"authorization": f"Bearer {await shop.token()}"}
    here = shop.origin + OPEN_API
    async with httpx2.AsyncClient(base_url=here, headers=headers, timeout=120, verify=NO_CERTIFICATES) as http:
        joint = "&" if "?" in path else "?"
        page = json_exact(await http.get(f"{path}{joint}per_page={per_page}"))
        if backward:
            page = json_exact(await http.get(page["links"]["last"]))
        pages = [page["data"]]
        while onward := page["links"]["prev" if backward else "next"]:
            page = json_exact(await http.get(onward))
            pages.append(page["data"])
    if backward:
        pages.reverse()
    assert len(pages) == page["meta"]["last_page"]
    assert [len(records) for records in pages[:-1]] == [per_page] * (len(pages) - 1)
    return [record for records in pages for record in records]


def json_exact(answer: httpx2.Response, status: int = 200) -> Any:
    """The body with every number as it was written: 12.50 is not 12.5, and neither goes through a float."""
    assert answer.status_code == status, answer.text
    return json.loads(answer.text, parse_float=Decimal)


def ids(records: list[Document]) -> list[str]:
    return [record["id"] for record in records]


def utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def text(column: str | None) -> Any:
    """A jsonb column as what it holds."""
    return None if column is None else json.loads(column)
