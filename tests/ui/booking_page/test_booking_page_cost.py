"""What the booking page of a large business costs, and what a stranger can take of it from the others."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth import visits
from frontdesk.auth.visits import Visits
from frontdesk.availability import check
from frontdesk.availability.chains import Chains
from frontdesk.runtime.slow_work import SlowWork
from frontdesk.scheduling import online
from frontdesk.ui.booking_page import pages, turns
from frontdesk.values.problems import BusyProblem
from tests.factories.changes import change_rows
from tests.factories.people import make_staff_for
from tests.support.branch import open_branch
from tests.support.shop import Shop
from tests.ui.booking_page.test_booking_page import BookableBranch, bookable, slug_of, starts_of, visitor

__all__ = ["bookable"]
PROVIDERS = 40


async def many_providers(own_shop: Shop) -> list[UUID]:
    """One branch with five services, each of which everybody performs at the same price."""
    await change_rows(own_shop, "branches", status=False)
    branch = await open_branch(own_shop)
    services = [await branch.add_service(name={"en": f"Service {n}"}, duration=30 + n) for n in range(5)]
    await make_staff_for(own_shop, PROVIDERS, services, branch_id=branch.branch_id)
    return services


async def test_a_large_business_is_searched_once_and_not_for_each_provider(
    own_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, calls = await many_providers(own_shop), Counter[str]()

    def counted(owner: object, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def call(*args: Any, **named: Any) -> Any:
            calls[name] += 1
            return original(*args, **named)

        monkeypatch.setattr(owner, name, call)

    counted(online, "price_order")
    counted(check, "calendar_of")
    counted(Chains, "_ordered")
    counted(Chains, "_own_starts")
    path = f"/book/{await slug_of(own_shop)}"
    chosen = {"services": ",".join(map(str, services))}
    async with visitor(own_shop) as browser:
        who = await browser.get(path, params=chosen)
        # The order and each of its services are priced once, calendars are read for one week.
        assert calls == {"price_order": 6, "calendar_of": PROVIDERS, "_own_starts": 5}
        assert who.text.count("First free") == PROVIDERS + 1
        each = await browser.get(path, params={**chosen, "step": "each"})
        assert [page.text.count("Staff member 1<") for page in (who, each)] == [1, 5]
        calls.clear()
        when = await browser.get(path, params={**chosen, "step": "when"})
    assert starts_of(when)
    # Those who may perform a service are brought into order for one day.
    assert calls == {"price_order": 6, "calendar_of": PROVIDERS, "_ordered": 5, "_own_starts": 5}


async def test_an_address_opens_a_page_of_times_of_a_business_only_so_often(
    bookable: BookableBranch, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(turns, "visits", Visits(burst=2, seconds=5, clock=lambda: now))
    path, query = f"/book/{await slug_of(bookable.shop)}", {"services": str(bookable.cut)}
    async with visitor(bookable.shop) as browser:
        answers = [await browser.get(path, params=query) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[2].headers["retry-after"] == "6"
        assert "Too many attempts" in answers[2].text
        assert (await browser.get(path)).status_code == 200  # the menu costs little
        now = 5.0
        assert [(await browser.get(path, params=query)).status_code for _ in range(2)] == [200, 429]
        now = 10.0
        waiting = [(await browser.get(f"{path}/waiting", params=query)).status_code for _ in range(2)]
        assert waiting == [200, 429]


def test_visitors_have_limits_of_their_own_and_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MAX_VISITORS", 2)
    limit = Visits(burst=1, seconds=2, clock=lambda: 0.0)
    assert [limit.consume(name) for name in ("a", "a", "b", "a", "b")] == [None, 3, None, 3, 3]
    assert limit.consume("c") is None
    assert limit.consume("b") == 3
    assert limit.consume("a") is None  # forgotten: it came before the others


async def test_a_page_that_waits_too_long_for_its_turn_says_so(
    bookable: BookableBranch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are computed one after the other. A business whose pages wait already is told to try again."""
    busy = SlowWork("test", slots=1, share=1, waiting=0, limit=0.01, busy=BusyProblem.BOOKING_PAGES)
    monkeypatch.setattr(pages, "COMPUTING", busy)
    path, query = f"/book/{await slug_of(bookable.shop)}", {"services": str(bookable.cut)}
    async with visitor(bookable.shop) as browser:
        async with busy.turn(UUID(int=1)):  # of another business
            answer = await browser.get(path, params=query)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "Too many people look at this page" in answer.text
        assert (await browser.get(path, params=query)).status_code == 200
