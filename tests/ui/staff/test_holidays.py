"""Holidays as templates for other hours: dates that are computed, and a form that is filled in."""

from datetime import date

import pytest

from frontdesk.staff.holidays import coming_holidays, islamic_date
from tests.factories.changes import change_tenant
from tests.support.branch import BranchFixture, day, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop


# As Umm al-Qura, the calendar of Saudi Arabia, has them; the tabular calendar may be a day off.
@pytest.mark.parametrize(
    ("year", "month", "announced"),
    [
        (1447, 9, date(2026, 2, 18)),
        (1448, 9, date(2027, 2, 8)),
        (1449, 10, date(2028, 2, 26)),
        (1452, 9, date(2030, 12, 26)),
    ],
)
def test_islamic_dates_are_within_a_day(year: int, month: int, announced: date) -> None:
    assert abs((islamic_date(year, month, 1) - announced).days) <= 1


def test_holidays_are_those_of_the_country_in_the_next_thirteen_months() -> None:
    today = date(2026, 11, 18)
    assert [holiday.name for holiday in coming_holidays("SA", today)] == [
        "Ramadan",
        "Founding Day",
        "Eid al-Fitr",
        "Eid al-Adha",
        "National Day",
    ]
    assert [str(holiday.first) for holiday in coming_holidays("DE", today)] == ["2026-12-25", "2027-01-01"]
    for offset in range(0, 3650, 97):  # a Ramadan is always ahead or now
        coming = coming_holidays("SA", date.fromordinal(today.toordinal() + offset))
        assert "Ramadan" in {holiday.name for holiday in coming}


@pytest.fixture
async def branch(own_shop: Shop) -> BranchFixture:
    await change_tenant(own_shop, country="SA")
    return await open_branch(own_shop)


async def test_a_template_fills_in_the_form_and_is_saved_for_all_its_days(
    branch: BranchFixture, owner: DashboardClient
) -> None:
    page = (await owner.get(f"/settings/hours?branch={branch.branch_id}")).text
    ramadan = next(holiday for holiday in coming_holidays("SA", day(0)) if holiday.name == "Ramadan")
    path = f"/settings/hours/{branch.branch_id}/exceptions/new"
    if ramadan.first >= day(0):
        assert f"{path}?holiday={ramadan.key}" in page
    filled = (await owner.get(f"{path}?holiday={ramadan.key}")).text
    assert "can differ by a day" in texts(filled)
    fields = form_fields(filled, path)
    assert (fields["day"], fields["until"], fields["note"]) == ([str(ramadan.first)], [str(ramadan.last)], ["Ramadan"])
    assert (fields["opens"][:2], fields["closes"][:2]) == (["12:00", "20:30"], ["17:00", "01:00"])
    saved = await owner.post(path, {**fields, "day": str(day(2)), "until": str(day(5))})
    assert saved.status_code == 303, saved.text
    again = await owner.post(path, {**fields, "day": str(day(4)), "until": str(day(7)), "note": "Later"})
    assert again.status_code == 303, again.text
    rows = await branch.shop.sql("SELECT day, note FROM hour_exceptions WHERE tenant_id = $1 ORDER BY day")
    assert [(row["day"], row["note"]) for row in rows] == [
        *((day(n), "Ramadan") for n in (2, 3, 4, 5)),
        *((day(n), "Later") for n in (6, 7)),
    ]
    long = await owner.post(path, {**fields, "day": str(day(10)), "until": str(day(100))})
    assert long.status_code == 422
