"""What a page costs the database, with the statement that reads the session: an upper bound for each page."""

import json

import pytest

from frontdesk.ui.app import dashboard
from tests.support.dashboard import DashboardClient
from tests.support.pages.page_fixtures import ids_of
from tests.support.shop import Shop

MAX_STATEMENTS = 4
# Pages that read more; each has its own bound.
EXCEPTIONS = {
    "GET /": 6,  # the last one is what does not work, in the whole business
    "GET /catalogue/{item_id}": 5,  # the item, what can be chosen, movements, and data of applications
    "GET /customers/{customer_id}": 6,  # the customer, messages, photos, and panels and data of applications
    "GET /day-close": 8,  # the drawer, the day, its parts and shifts, earlier days, unpaid and coming orders
    "GET /day-close/{close_id}": 6,
    "GET /export/activity.csv": 5,
    "GET /export/activity.xlsx": 5,
    "GET /export/business.zip": 80,  # one for each table
    "GET /orders/{order_id}": 5,  # the order, messages, and panels and data of applications
    "GET /reports": 6,  # sales, payments, customers, working hours, and what the member chose
    "GET /settings/api/clients/{client_id}": 5,
    "GET /settings/applications/installed/{install_id}": 7,
    "GET /settings/business": 6,  # also the booking page in small
    "GET /settings/limits": 9,
    "GET /reports/monthly.pdf": 8,
}
PAGES = [page for page in dashboard().pages if page.method == "GET" and page.access.roles is not None]


@pytest.mark.every_statement
async def test_a_page_is_read_with_few_statements(
    own_shop: Shop, owner: DashboardClient, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = await ids_of(own_shop)
    capsys.readouterr()
    for page in PAGES:
        await owner.get(page.path.format(**ids))
    counts: dict[str, int] = {}
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("{"):
            entry = json.loads(line)
            counts[entry["route"]] = max(counts.get(entry["route"], 0), entry["statements"])
    assert len(counts) > len(PAGES) / 2
    expensive = {route: count for route, count in counts.items() if count > EXCEPTIONS.get(route, MAX_STATEMENTS)}
    assert expensive == {}
