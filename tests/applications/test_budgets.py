"""A business limits how many records a day an application reads: the leak stops, and everything else goes on."""

import asyncio
from datetime import timedelta

import httpx2
import pytest

from tests.factories.changes import change_rows
from tests.factories.users import owner_of
from tests.support.applications import Developer, Installed, approved, install
from tests.support.dashboard import DashboardClient
from tests.support.pages.second_factor import mails
from tests.support.pagination import json_exact
from tests.support.shop import Shop
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers

SCOPES = {"customers:read": ("To greet them", True), "orders:read": ("To know what is booked", False)}


@pytest.fixture
async def app(developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient) -> Installed:
    """It may read 30 customers, which the business has, and as many orders as there are."""
    application_id = await approved(developer, operator, scopes=SCOPES)
    return await install(owner, business, application_id, *SCOPES)


async def limit(app: Installed, per_day: str, scope: str = "customers:read", seen: str = "") -> int:
    return await app.post("budget", {"scope": scope, "per_day": per_day, "seen": seen})


async def used(business: Shop) -> int:
    ((count,),) = await business.sql("SELECT used FROM scope_budgets WHERE tenant_id = $1")
    return int(count)


def refused(answer: httpx2.Response) -> dict[str, object]:
    assert (answer.status_code, answer.json()["error"]) == (429, "budget_exceeded")
    seconds = int(answer.headers["retry-after"])
    assert 0 < seconds <= 25 * 3600
    details: dict[str, object] = answer.json()["details"]
    assert details.pop("retry_after") == seconds
    return details


async def test_records_of_a_budget_are_counted_and_the_rest_is_refused(app: Installed, business: Shop) -> None:
    assert await limit(app, "12") == 303
    token = await app.token()
    page = await business.get("/customers?per_page=10", token=token)
    assert len(page.json()["data"]) == 10
    details = refused(await business.get("/customers?per_page=10&page=2", token=token))
    assert details == {"scope": "customers:read", "allowed": 12, "used": 10, "records": 10}
    # What still fits is answered, and nothing else is limited.
    for customer in page.json()["data"][:2]:
        assert (await business.get(f"/customers/{customer['id']}", token=token)).status_code == 200
    assert refused(await business.get("/customers/phone?phone=%2B1", token=token))["used"] == 12
    assert (await business.get("/orders", token=token)).status_code == 200
    assert (await business.get("/customers")).status_code == 200  # the business's own client


async def test_a_search_is_charged_for_each_scope_or_for_none(app: Installed, business: Shop) -> None:
    """Digits are searched in phone numbers, and as the number of an order. The client reads its own budgets."""
    await limit(app, "5")
    await limit(app, "1", "orders:read")
    token = await app.token()

    async def budgets() -> dict[str, int]:
        listed = (await business.get("/limits", token=token)).json()["data"]["budgets"]
        return {budget["scope"]: budget["used"] for budget in listed}

    assert await budgets() == {"customers:read": 0, "orders:read": 0}
    found = (await business.get("/search?q=1&limit=1", token=token)).json()["data"]
    assert (len(found["customers"]), len(found["orders"]), found["items"]) == (1, 1, None)
    assert await budgets() == {"customers:read": 1, "orders:read": 1}
    assert refused(await business.get("/search?q=1&limit=1", token=token))["scope"] == "orders:read"
    assert refused(await business.get("/search?q=a&limit=5", token=token))["scope"] == "customers:read"
    assert await budgets() == {"customers:read": 1, "orders:read": 1}, "what was counted before is taken back"
    stopped = (await business.get("/limits", token=token)).json()["data"]["budgets"]
    assert all(budget["stopped_at"] for budget in stopped)


async def test_requests_at_once_never_read_more_than_the_budget(app: Installed, business: Shop) -> None:
    await limit(app, "25")
    token = await app.token()
    answers = await asyncio.gather(*(business.get("/customers?per_page=10", token=token) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, *[429] * 6]
    assert await used(business) == 20


async def test_owner_and_developer_are_told_once_and_the_owner_allows_more(
    app: Installed, business: Shop, developer: Developer
) -> None:
    await limit(app, "5")
    token = await app.token()
    for _ in range(3):
        refused(await business.get("/customers", token=token))
    ((owner_mail,),) = await business.sql(
        "SELECT email FROM users WHERE $1::uuid IS NOT NULL AND id = $2", await owner_of(business)
    )
    (mail,) = await mails(business, owner_mail, "budget_used_up")
    assert f"/settings/applications/installed/{app.id}" in mail["data"]
    assert len(await mails(business, developer.sandbox.sandbox.email, "budget_used_up")) == 1
    page = (await app.desk.get(app.here)).text
    assert "Stopped today at" in page
    assert "Allow 5 more today" in page
    assert await app.post("budget/more", {"scope": "customers:read", "more": "25"}) == 303
    assert (await business.get("/customers", token=token)).status_code == 200
    assert "Stopped today at" not in (await app.desk.get(app.here)).text


async def test_a_new_day_counts_from_zero(app: Installed, business: Shop) -> None:
    await limit(app, "25")
    token = await app.token()
    assert (await business.get("/customers", token=token)).status_code == 200
    refused(await business.get("/customers", token=token))
    ((today,),) = await business.sql("SELECT day FROM scope_budgets WHERE tenant_id = $1")
    await change_rows(business, "scope_budgets", day=today - timedelta(days=1), extra=100)
    assert "0 of 25" in (await app.desk.get(app.here)).text
    assert (await business.get("/customers", token=token)).status_code == 200
    refused(await business.get("/customers", token=token))


async def test_a_budget_is_changed_and_ended(app: Installed, business: Shop) -> None:
    token = await app.token()
    await limit(app, "1")
    refused(await business.get("/customers", token=token))
    assert await limit(app, "100") == 422  # the page showed none
    assert await limit(app, "100", seen="1") == 303
    assert (await business.get("/customers", token=token)).status_code == 200
    await limit(app, "", seen="100")
    assert await business.sql("SELECT FROM scope_budgets WHERE tenant_id = $1") == []
    assert (await business.get("/customers?per_page=100", token=token)).status_code == 200
    done = await business.sql(
        "SELECT action, actor_type FROM activity WHERE tenant_id = $1 AND action LIKE '%budget%' ORDER BY id"
    )
    assert [tuple(row) for row in done] == [
        ("api_client.budget_changed", "user"),
        ("api_client.budget_used_up", "system"),
        ("api_client.budget_changed", "user"),
        ("api_client.budget_changed", "user"),
    ]


@pytest.mark.parametrize("per_day", ["0", "-1", "ten", "10000001"])
async def test_a_wrong_number_is_refused_with_its_field(app: Installed, business: Shop, per_day: str) -> None:
    answer = await app.desk.post(f"{app.here}/budget", {"scope": "customers:read", "per_day": per_day})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert await business.sql("SELECT FROM scope_budgets WHERE tenant_id = $1") == []


@pytest.mark.parametrize("scope", ["items:read", "orders:write", "*", ""])
async def test_only_what_it_may_read_has_a_budget(app: Installed, scope: str) -> None:
    assert await limit(app, "5", scope) in (404, 422)


async def test_events_and_exports_count_by_their_records(app: Installed, business: Shop) -> None:
    """Otherwise a client whose limit is used up goes on with the file of everything."""
    await limit(app, "12")
    token = await app.token()
    for name in ("Reem", "Joud", "Sara"):
        json_exact(await business.post("/customers", {"first_name": name}), 201)
    events = await business.get("/events?type=customer.created", token=token)
    assert (len(events.json()["data"]), await used(business)) == (3, 3)
    assert refused(await business.get("/customers?per_page=10", token=token))["used"] == 3

    made = json_exact(await business.post("/exports", {"resources": ["customers", "orders"]}, token=token), 201)["data"]

    async def is_done() -> bool:
        found = await business.get(f"/exports/{made['id']}", token=token)
        return bool(found.json()["data"]["status"] == "done")

    await eventually(is_done)
    ((customers,),) = await business.sql("SELECT count(*) FROM customers WHERE tenant_id = $1")
    file = f"/exports/{made['id']}/records"
    assert refused(await business.get(file, token=token))["records"] == customers
    await limit(app, str(customers + 3), seen="12")
    answer = await business.get(file, token=token)
    assert answer.text.count('{"resource":"customers",') == customers
    assert await used(business) == customers + 3
    assert refused(await business.get("/events?type=customer.created&per_page=1", token=token))["records"] == 1
