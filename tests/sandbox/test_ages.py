"""Ages on pages while the clock of a sandbox is ahead: each is counted on the clock that wrote the time."""

from datetime import UTC, datetime, timedelta

from frontdesk.auth.types import Role
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.values.clock import clock_ahead
from tests.factories.users import make_user
from tests.sandbox.conftest import Advance
from tests.support.applications import new_operator
from tests.support.branch import line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pagination import json_exact
from tests.support.shop import Shop
from tests.support.waiting import eventually

JUST_NOW, YESTERDAY = "just now", "1 day ago"
DAY = timedelta(days=1)


async def _shows(desk: DashboardClient, path: str) -> str:
    return texts((await desk.get(path)).text)


async def test_what_the_machine_notes_is_as_old_as_it_is(own_shop: Shop, advance: Advance) -> None:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.OWNER)) as owner:
        await advance("P1D")

        async def is_noted() -> bool:
            return JUST_NOW in await _shows(owner, "/settings/api")

        await eventually(is_noted)
        for path in ("/settings/api", "/settings/members", "/settings/account"):
            shown = await _shows(owner, path)
            assert JUST_NOW in shown, path
            assert YESTERDAY not in shown, path


def test_an_age_is_told_by_one_of_two_clocks() -> None:
    format_, now = Formatter("en", None), datetime.now(UTC)
    with clock_ahead(int(DAY.total_seconds())):
        assert (format_.ago(now), format_.machine_ago(now)) == (YESTERDAY, JUST_NOW)
        assert (format_.ago(now + DAY), format_.machine_ago(now - DAY)) == (JUST_NOW, YESTERDAY)
    assert (format_.ago(now - DAY), format_.machine_ago(now - DAY)) == (YESTERDAY, YESTERDAY)


async def test_an_operator_sees_the_last_order_at_the_real_time(own_shop: Shop, advance: Advance) -> None:
    await advance("P3D")
    branch = await open_branch(own_shop)
    soap = await branch.add_product(price="20")
    json_exact(await own_shop.post("/orders", branch.order(line(soap, "product"))), 201)
    async with await new_operator(own_shop) as operator:
        shown = await _shows(operator, f"/operator/tenants/{own_shop.sandbox.tenant_id}")
        assert f"Last order {JUST_NOW}" in shown
