"""What applications really do, as the directory shows it, and what businesses report to the operator."""

from uuid import UUID

from frontdesk.applications.queries.vitals import delete_old_days, list_vitals, refresh_vitals
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.applications import forget_vitals
from tests.support.applications import Developer, approved, install
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop
from tests.support.waiting import eventually

SCOPES = {"orders:read": ("To book sales", True), "items:read": ("To name what was sold", False)}


async def refresh(shop: Shop, conn: Connection, application_id: UUID) -> None:
    """Other tests have applications too."""
    await forget_vitals(shop, application_id)
    while await refresh_vitals(conn, 1000):
        pass


async def test_the_directory_counts_what_an_application_does(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient, conn: Connection
) -> None:
    application_id = await approved(developer, operator, scopes=SCOPES)
    app = await install(owner, business, application_id, *SCOPES)
    token = await app.token()
    for path, status in (("/orders", 200), ("/orders", 200), ("/orders?page=0", 422), (f"/orders/{uuid7()}", 404)):
        assert (await business.get(path, token=token)).status_code == status

    async def is_counted() -> bool:
        await refresh(business, conn, application_id)
        found = (await list_vitals(conn, [application_id]))[application_id]
        return found.requests == 4

    await eventually(is_counted)
    found = (await list_vitals(conn, [application_id]))[application_id]
    assert (found.used_scopes, found.error_rate, found.arrival_rate) == (frozenset({"orders:read"}), 50.0, None)
    page = (await owner.get("/settings/applications/directory")).text
    assert "50.0%" in page
    assert "You may leave out what it does not use." in page


async def test_vitals_are_computed_once_a_day(
    developer: Developer, operator: DashboardClient, business: Shop, conn: Connection
) -> None:
    application_id = await approved(developer, operator)
    await refresh(business, conn, application_id)
    before = await conn.fetchval("SELECT computed_at FROM application_vitals WHERE application_id = $1", application_id)
    await refresh_vitals(conn, 1000)
    after = await conn.fetchval("SELECT computed_at FROM application_vitals WHERE application_id = $1", application_id)
    assert before == after
    assert await delete_old_days(conn, 1000) == 0


async def test_a_business_reports_an_application_and_the_operator_closes_it(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    fields = {"id": str(uuid7()), "words": "It reads every customer at night."}
    for _ in range(2):  # the form is sent twice
        answer = await owner.post(f"/settings/applications/directory/{application_id}/report", fields)
        assert answer.status_code == 303
    here = f"/operator/applications/{application_id}"
    page = (await operator.get(here)).text
    assert page.count("It reads every customer at night.") == 1
    assert "1 report" in (await operator.get("/operator/applications?status=approved")).text
    assert (await operator.post(f"{here}/reports/{fields['id']}/close")).status_code == 303
    assert "at night" not in (await operator.get(here)).text
    assert (await operator.post(f"{here}/reports/{fields['id']}/close")).status_code == 404
    assert "at night" not in (await developer.desk.get(f"/developer/applications/{application_id}")).text


async def test_a_report_says_something(developer: Developer, operator: DashboardClient, owner: DashboardClient) -> None:
    application_id = await approved(developer, operator)
    answer = await owner.post(
        f"/settings/applications/directory/{application_id}/report", {"id": str(uuid7()), "words": " "}
    )
    assert answer.status_code == 422
