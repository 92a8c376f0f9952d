"""The operator's console: what it shows, what each act changes with the next request, and that each is recorded."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import connect
from frontdesk.ui.activity.labels import ACTIONS
from frontdesk.ui.app import dashboard
from tests.factories.changes import change_row, change_tenant
from tests.factories.credentials import make_client
from tests.factories.expired import insert_logged_requests
from tests.factories.users import give_second_factor, make_user, owner_of
from tests.factories.webhooks import insert_attempt, insert_delivery, insert_event, insert_webhook
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pages.page_fixtures import ids_of
from tests.support.service import Service
from tests.support.shop import Shop

CONSOLE = [page for page in dashboard().pages if page.access.operator and page.method == "GET"]


@pytest.fixture
async def operator(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    """An operator who belongs to no business."""
    async with await dashboard_of(
        own_shop, await make_user(own_shop, None, operator=True, name="Omar Operator")
    ) as desk:
        yield desk


async def test_every_page_of_the_console_opens_to_an_operator_who_has_no_business(
    operator: DashboardClient, own_shop: Shop
) -> None:
    ids = await ids_of(own_shop)
    shown = [page for page in CONSOLE if all(name in ids for name in page.params)]
    assert len(shown) >= 6
    for page in shown:
        answer = await operator.get(page.path.format(**ids))
        assert answer.status_code in (200, 303), page.path
        assert len(answer.content) < 55_000
    assert (await operator.get("/operator")).headers["location"] == "/operator/health"


async def test_a_member_who_also_operates_finds_the_console_and_the_others_do_not(
    own_shop: Shop, owner: DashboardClient
) -> None:
    assert 'href="/operator"' not in (await owner.get("/")).text
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST, operator=True)) as desk:
        assert 'href="/operator"' in (await desk.get("/")).text


async def test_a_business_is_found_by_its_name_its_web_address_or_its_id(
    operator: DashboardClient, own_shop: Shop
) -> None:
    await change_tenant(own_shop, name="Zahrat %_ Studio")
    (address,) = await own_shop.sql("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current")
    for typed in ("zahrat %25_", address["slug"].upper(), str(own_shop.tenant_id), str(own_shop.tenant_id).upper()):
        page = (await operator.get(f"/operator/tenants?search={typed}")).text
        assert page.count('class="rowlink"') == 1, typed
        assert "Zahrat %_ Studio" in page
    assert "No matching businesses" in (await operator.get("/operator/tenants?search=zahrat%25%25")).text
    assert (await operator.get(f"/operator/tenants/{uuid4()}")).status_code == 404


async def test_a_plan_counts_from_the_next_request(operator: DashboardClient, own_shop: Shop, other_shop: Shop) -> None:
    assert (await own_shop.get("/branches")).status_code == 200
    where = f"/operator/tenants/{own_shop.tenant_id}"
    change = {"plan": "starter", "seen": "professional"}
    assert (await operator.post(f"{where}/plan", change)).status_code == 303
    refused = await own_shop.get("/branches")
    assert (refused.status_code, refused.json()["error"]) == (403, "feature_disabled")
    assert (await other_shop.get("/branches")).status_code == 200
    assert (await operator.post(f"{where}/plan", {"plan": "golden", "seen": "starter"})).status_code == 422
    back = {"plan": "professional", "seen": "starter"}
    assert (await operator.post(f"{where}/plan", back)).status_code == 303
    assert (await own_shop.get("/branches")).status_code == 200
    assert (await operator.post(f"/operator/tenants/{uuid4()}/plan", change)).status_code == 404


async def test_a_suspended_business_is_refused_with_the_next_request_until_it_is_resumed(
    operator: DashboardClient, own_shop: Shop, owner: DashboardClient, other_shop: Shop
) -> None:
    where = f"/operator/tenants/{own_shop.tenant_id}"
    assert (await own_shop.get("/branches")).status_code == 200
    assert f'action="{where}/suspend"' not in (await operator.get(where)).text  # its own page asks first
    asks = (await operator.get(f"{where}/suspend")).text
    assert f'action="{where}/suspend"' in asks
    assert "Reason (optional)" in texts(asks)
    for fields in ({"reason": "unpaid <since> March"}, {}):
        assert (await operator.post(f"{where}/suspend", fields)).status_code == 303
    assert (await operator.post(f"{where}/suspend", {"reason": "x" * 501})).status_code == 422
    page = await owner.get("/orders")
    assert page.status_code == 403
    assert "This business is suspended" in page.text
    assert "March" not in page.text
    assert "unpaid &lt;since&gt; March" in (await operator.get(where)).text
    assert (await own_shop.get("/branches")).status_code == 403
    assert (await own_shop.key_call("GET", "/items")).status_code == 403
    assert (await other_shop.get("/branches")).status_code == 200
    assert "Suspended since" in (await operator.get(where)).text
    assert (await operator.post(f"{where}/resume")).status_code == 303
    assert (await owner.get("/orders")).status_code == 200
    assert (await own_shop.get("/branches")).status_code == 200


async def test_a_disabled_user_has_no_access_from_the_next_request_and_stays_signed_out(
    operator: DashboardClient, own_shop: Shop, owner: DashboardClient
) -> None:
    user_id = await owner_of(own_shop)
    assert (await operator.post(f"/operator/users/{user_id}/disable")).status_code == 303
    assert (await owner.get("/orders")).headers["location"].startswith("/sign-in")
    assert (await operator.post(f"/operator/users/{user_id}/operator")).status_code == 422
    assert (await operator.post(f"/operator/users/{user_id}/enable")).status_code == 303
    assert (await owner.get("/orders")).headers["location"].startswith("/sign-in")
    await owner.sign_in_as(user_id)
    assert (await owner.get("/orders")).status_code == 200
    for act in ("disable", "enable", "operator", "operator/end"):
        assert (await operator.post(f"/operator/users/{uuid4()}/{act}")).status_code == 404


async def test_a_user_is_found_made_an_operator_and_revoked(
    operator: DashboardClient, own_shop: Shop, owner: DashboardClient
) -> None:
    user_id = await owner_of(own_shop)
    page = (await operator.get(f"/operator/users?search={own_shop.sandbox.email.upper()}")).text
    assert page.count('class="rowlink"') == 1
    assert f"/operator/users/{user_id}" in page
    assert (await owner.get("/operator/tenants")).status_code == 403
    assert (await operator.post(f"/operator/users/{user_id}/operator")).status_code == 303
    assert (await owner.get("/operator/tenants")).headers["location"] == "/settings/account/second-factor"
    await give_second_factor(own_shop, user_id)
    assert (await owner.get("/operator/tenants")).status_code == 200
    assert (await operator.post(f"/operator/users/{user_id}/operator/end")).status_code == 303
    assert (await owner.get("/operator/tenants")).status_code == 403


async def test_acts_on_an_account_are_in_the_activity_of_its_businesses(
    operator: DashboardClient, own_shop: Shop, other_shop: Shop
) -> None:
    user_id = await make_user(own_shop, Role.RECEPTIONIST)
    for act in ("reset-password", "disable", "disable", "enable", "enable"):  # what changes nothing is recorded once
        await operator.post(f"/operator/users/{user_id}/{act}")
    recorded = "SELECT actor_id, action FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id"
    entries = [entry for entry in await own_shop.sql(recorded, user_id) if entry["actor_id"] is not None]
    assert [entry["action"] for entry in entries] == [
        *("member.password_link_created", "member.disabled", "member.enabled"),
    ]
    assert {entry["actor_id"] for entry in entries} == {await operator_id(own_shop)}
    assert all(entry["action"] in ACTIONS for entry in entries)
    assert await other_shop.sql(recorded, user_id) == []


async def test_every_act_is_logged(operator: DashboardClient, own_shop: Shop) -> None:
    user_id, by = await make_user(own_shop, Role.RECEPTIONIST), await operator_id(own_shop)
    with capture_logs() as lines:
        await operator.post(f"/operator/tenants/{own_shop.tenant_id}/plan", {"plan": "starter", "seen": "professional"})
        for act in ("suspend", "resume"):
            await operator.post(f"/operator/tenants/{own_shop.tenant_id}/{act}")
        for act in ("operator", "operator/end", "disable", "enable"):
            await operator.post(f"/operator/users/{user_id}/{act}")
        await operator.post(f"/operator/users/{user_id}/nothing")
    acts = [line for line in lines if line["event"] == "operator_act"]
    assert [line["act"] for line in acts] == [
        "business.plan_changed", "business.suspended", "business.resumed", "operator.granted", "operator.revoked",
        "user.disabled", "user.enabled",
    ]  # fmt: skip
    assert {line["operator"] for line in acts} == {str(by)}
    assert {line.get("tenant") for line in acts[:3]} == {str(own_shop.tenant_id)}
    assert {line.get("user") for line in acts[3:]} == {str(user_id)}
    assert all(line["request_id"] for line in acts)


async def operator_id(shop: Shop) -> UUID:
    rows = await shop.sql(
        "SELECT id FROM users WHERE name = 'Omar Operator' AND $1::uuid IS NOT NULL ORDER BY created_at DESC LIMIT 1"
    )
    found: UUID = rows[0]["id"]
    return found


async def test_the_last_operator_cannot_be_revoked(service: Service, own_shop: Shop) -> None:
    """In a quiet corner: everybody else is no operator while this runs."""
    raw = await connect(service.dsn)
    others = [row["id"] for row in await raw.fetch("SELECT id FROM users WHERE is_operator")]
    await raw.execute("UPDATE users SET is_operator = false WHERE id = ANY($1)", others)
    try:
        first, second = [await make_user(own_shop, None, operator=True) for _ in range(2)]
        async with await dashboard_of(own_shop, first) as one, await dashboard_of(own_shop, second) as other:
            tokens = [{"form_token": await desk.form_token()} for desk in (one, other)]
            await asyncio.gather(
                one.http.post(f"/operator/users/{second}/operator/end", data=tokens[0]),
                other.http.post(f"/operator/users/{first}/disable", data=tokens[1]),
            )
            left = await raw.fetch("SELECT id FROM users WHERE is_operator AND disabled_at IS NULL")
            assert len(left) == 1
            last, desk = left[0]["id"], one if left[0]["id"] == first else other
            for act in ("operator/end", "disable"):
                refused = await desk.post(f"/operator/users/{last}/{act}")
                assert refused.status_code == 422
                assert "This is the last operator. Make another user an operator first." in refused.text
    finally:
        await raw.execute("UPDATE users SET is_operator = true WHERE id = ANY($1)", others)
        await raw.close()


async def test_health_tells_what_waits_and_what_failed(operator: DashboardClient, own_shop: Shop) -> None:
    client = (await make_client(own_shop)).id
    webhook = await insert_webhook(own_shop, client, "https://hook.example/in", events=["order.created"])
    delivery = await insert_delivery(
        own_shop, webhook, await insert_event(own_shop, "order.created"), state="due", attempts=3
    )
    await insert_attempt(own_shop, delivery, error="answered <b>503</b>")
    await change_row(own_shop, "webhooks", webhook, failing_since=datetime.now(UTC))
    await change_tenant(own_shop, name="Failing & Sons")
    await insert_logged_requests(
        own_shop,
        "0 s",
        request_id="feedface",
        route="POST /open-api/v1/orders",
        status=502,
        error="availability_check_failed",
    )
    page = (await operator.get("/operator/health")).text
    for text in (
        "Failing &amp; Sons", "https://hook.example/in", "answered &lt;b&gt;503", "feedface",
        "availability_check_failed", "0002_plain_names.sql", "PostgreSQL",
    ):  # fmt: skip
        assert text in page, text
