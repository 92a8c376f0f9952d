"""The set-up checklist: what is done, one act a step, and gone when all is done or it is hidden."""

from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.register import register_tenant
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.values.ids import uuid7
from tests.factories.people import assign_service, make_staff, make_working_hours
from tests.factories.tenant_rows import ConnectionRows
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.shop import Shop


async def new_business(conn: Connection) -> ConnectionRows:
    new = NewTenant("New", "Main", Plan.STARTER, "Asia/Riyadh", "SAR", ["ar", "en"], country="SA")
    return ConnectionRows(conn, await register_tenant(conn, new))


async def seated(shop: Shop, rows: ConnectionRows, role: Role) -> DashboardClient:
    user_id: UUID = await make_user(rows, role)
    return await dashboard_of(shop, user_id)


async def test_the_list_shows_what_is_done_and_goes_when_all_is(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    (branch,) = await rows.sql("SELECT id FROM branches WHERE tenant_id = $1")
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        shown = texts((await owner.get("/")).text)
        assert "2 of 5 done" in shown
        assert 'href="/setup"' in (await owner.get("/orders")).text
        closed = await make_working_hours(rows, {}, branch_id=branch["id"])  # saved without any times
        assert "2 of 5 done" in texts((await owner.get("/setup")).text)
        await rows.sql("DELETE FROM working_hours WHERE tenant_id = $1 AND id = $2", closed)
        await make_working_hours(rows, {}, branch_id=branch["id"], all_time=True)
        fields = {"type": "service", "name_en": "Cut", "price": "80", "duration": "30", "active": "yes"}
        added = await owner.post("/catalogue/new", {"id": str(uuid7()), **fields})
        assert (added.status_code, added.headers["location"]) == (303, "/setup")
        (service,) = (row["id"] for row in await rows.sql("SELECT id FROM items WHERE tenant_id = $1"))
        assert "4 of 5 done" in texts((await owner.get("/setup")).text)
        staff = await make_staff(rows, branch_id=branch["id"])
        await assign_service(rows, staff, service)
        done = await owner.get("/setup")
        assert (done.status_code, done.headers["location"]) == (303, "/settings/booking-page")
        assert (
            "Your business is set up. Customers book at this address."
            in (await owner.get("/settings/booking-page")).text
        )
        page = (await owner.get("/")).text
        assert "of 5 done" not in page
        assert 'href="/setup"' not in page


async def test_a_hidden_list_stays_hidden_and_a_cashier_sees_none(other_shop: Shop, conn: Connection) -> None:
    rows = await new_business(conn)
    async with await seated(other_shop, rows, Role.CASHIER) as cashier:
        assert "of 5 done" not in (await cashier.get("/")).text
        assert (await cashier.get("/setup")).status_code == 403
    async with await seated(other_shop, rows, Role.OWNER) as owner:
        assert (await owner.post("/setup/hide")).status_code == 303
        assert "of 5 done" not in (await owner.get("/")).text
