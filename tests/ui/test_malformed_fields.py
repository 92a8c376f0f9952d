"""A form with a malformed field shows what else is wrong in it, saves nothing, and holds no connection meanwhile."""

from frontdesk.values.ids import uuid7
from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.servers.dns import Zone, running_name_server
from tests.support.service import running_service

_COUNT = "SELECT count(*) AS n FROM customers WHERE tenant_id = $1"


async def test_malformed_fields_and_unknown_mail_domains_are_shown_together(dsn: str) -> None:
    """The suite fails a request that asks the DNS while it holds a connection."""
    with running_name_server(Zone()) as resolver:
        async with running_service(dsn, email_dns=True, email_resolver=resolver) as service:
            shop = await service.new_shop()
            before = await shop.sql(_COUNT)
            fields = {"id": str(uuid7()), "first_name": "Sara", "phone": "+966501000043", "city": "x" * 5000}
            async with await dashboard_of(shop, await owner_of(shop)) as desk:
                page = await desk.post("/customers/new", {**fields, "email": "sara@nowhere.corp.com"})
                assert page.status_code == 422, page.text
                assert 'id="f-email-e"' in page.text
                assert 'id="f-city-e"' in page.text
                known = await desk.post("/customers/new", {**fields, "email": "sara@mail.corp.com"})
                assert known.status_code == 422
                assert 'id="f-email-e"' not in known.text
                assert await shop.sql(_COUNT) == before
                saved = await desk.post("/customers/new", {**fields, "city": "Jeddah", "email": "sara@mail.corp.com"})
                assert saved.status_code == 303
