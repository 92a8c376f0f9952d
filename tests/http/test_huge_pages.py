"""A page far past the last one is empty, however far."""

import pytest

from frontdesk.apis.open.api import open_api
from frontdesk.apis.pos.api import pos_api
from frontdesk.http.endpoints import Api
from frontdesk.http.pagination import PageQuery
from tests.support.http_errors import assert_error
from tests.support.shop import Shop

PAGES = [10**6, 2**31, 10**18, 2**63, 10**30, 10**3000]


def _lists(surface: Api) -> list[str]:
    return [o.path for o in surface.operations if o.query and issubclass(o.query, PageQuery) and "{" not in o.path]


async def test_a_page_past_the_last_is_empty(shop: Shop, other_shop: Shop) -> None:
    asked = 0
    for surface, call in ((open_api(), shop.request), (pos_api(), shop.key_call)):
        for path in _lists(surface):
            required = {"model": "customers"} if path == "/tags" else {}
            for page in PAGES:
                answer = await call("GET", path, params={**required, "page": str(page), "per_page": "100"})
                assert answer.status_code == 200, (path, page, answer.text[:300])
                assert answer.json()["data"] == []
                assert answer.json()["meta"]["current_page"] == page
                asked += 1
    assert asked > 60


@pytest.mark.parametrize("page", ["0", "-1", str(-(10**30)), "1.0", "1e3", "", "x", "٣"])
async def test_an_invalid_page_number_is_refused(shop: Shop, page: str) -> None:
    answer = await shop.request("GET", "/orders", params={"page": page})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["page"]
