"""An approval counts for the version that the reviewer saw, and businesses see nothing else."""

import asyncio
import json
import re
from uuid import UUID

import pytest

from frontdesk.applications.edit import update_listing
from frontdesk.applications.review import approve, suspend
from frontdesk.applications.submit import submit, withdraw
from frontdesk.applications.types import Listing
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from tests.applications.test_at_once import connection, let_in, waiting
from tests.applications.test_develop import png, send_picture
from tests.factories.changes import change_tenant
from tests.factories.users import owner_of
from tests.support.applications import ABOUT, Developer, approved, decide, install, scope_fields, shown_version
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop

WIDER = {"orders:read": ("To know", True), "customers:read": ("To write to them", True)}
LOOK_AGAIN = "The developer has changed it. Review it again before you decide."


async def change(developer: Developer, application_id: UUID, name: str, **about: str) -> None:
    """Take it back and edit it."""
    await developer.step(application_id, "withdraw")
    await developer.send(f"/developer/applications/{application_id}/about", {"name": name, **ABOUT, **about})


async def publish(developer: Developer, operator: DashboardClient, application_id: UUID) -> None:
    await developer.step(application_id, "submit")
    assert await decide(operator, application_id, "approve") == 303


@pytest.mark.parametrize("decision", ["approve", "reject"])
async def test_a_decision_about_another_version_is_refused_and_shows_the_new_one(
    developer: Developer, operator: DashboardClient, decision: str
) -> None:
    application_id = await developer.draft("Honest books")
    await developer.step(application_id, "submit")
    here = f"/operator/applications/{application_id}"
    seen = await shown_version(operator, here)
    await change(developer, application_id, "Stolen books")
    await developer.step(application_id, "submit")
    refused = await operator.post(f"{here}/{decision}", {"version": seen, "reason": "Because"})
    assert refused.status_code == 422
    assert LOOK_AGAIN in refused.text
    assert "Stolen books" in refused.text
    assert await status_of(developer, application_id) == "in_review"
    assert await decide(operator, application_id, decision, "Because") == 303


async def test_a_decision_without_a_version_is_refused(developer: Developer, operator: DashboardClient) -> None:
    application_id = await developer.draft()
    await developer.step(application_id, "submit")
    here = f"/operator/applications/{application_id}"
    for version in ("", "x", "-1", "99"):
        assert (await operator.post(f"{here}/approve", {"version": version, "reason": ""})).status_code == 422
    assert (await operator.post(f"{here}/approve", {"reason": ""})).status_code == 422
    assert await status_of(developer, application_id) == "in_review"


async def test_businesses_install_the_approved_version_during_review_of_the_next(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await developer.draft("Calm books")
    here = f"/developer/applications/{application_id}"
    names = {"name_en": ["Calm pay"], "name_ar": [""]}
    await developer.send(f"{here}/payment-methods", names)
    await publish(developer, operator, application_id)
    await change(developer, application_id, "Loud books", description_en="Sells your addresses")
    await developer.send(f"{here}/scopes", scope_fields(WIDER))
    await developer.send(f"{here}/payment-methods", {"name_en": ["Loud pay"], "name_ar": [""]})
    directory = f"/settings/applications/directory/{application_id}"
    for step in (None, "submit"):
        if step:
            await developer.step(application_id, step)
        page = (await owner.get(directory)).text
        assert "Calm books" in page
        assert "Calm pay" in page
        for unseen in ("Loud", "Sells your addresses", "customers:read"):
            assert unseen not in page
        found = (await owner.get("/settings/applications/directory?text=calm")).text
        assert "Calm books" in found
        assert "Loud books" not in (await owner.get("/settings/applications/directory?text=loud")).text
    app = await install(owner, business, application_id, "orders:read")
    assert await methods(business, app.id) == {"Calm pay": True}
    assert "Loud" not in (await owner.get(app.here)).text
    assert "Loud" not in (await owner.get("/settings/applications")).text
    assert await decide(operator, application_id, "approve") == 303
    assert "Loud books" in (await owner.get(directory)).text


async def test_the_developers_sandbox_has_what_is_being_written(
    developer: Developer, operator: DashboardClient
) -> None:
    application_id = await approved(developer, operator, name="Calm books")
    await change(developer, application_id, "Loud books")
    page = (await developer.desk.get(f"/settings/applications/directory/{application_id}")).text
    assert "Loud books" in page
    app = await install(developer.desk, developer.sandbox, application_id, "orders:read")
    answer = await developer.sandbox.get("/orders", token=await app.token())
    assert answer.headers["x-ratelimit-limit"] == "600"  # elsewhere the default


async def test_an_install_of_another_version_than_was_shown_is_refused(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    here = f"/settings/applications/directory/{application_id}"
    seen = await shown_version(owner, here)
    await change(developer, application_id, "Other books")
    await publish(developer, operator, application_id)
    refused = await owner.post(here, {"id": str(uuid7()), "version": seen, "scopes": ["orders:read"]})
    assert refused.status_code == 422
    assert LOOK_AGAIN in refused.text
    assert not await business.sql("SELECT FROM installs WHERE tenant_id = $1 AND application_id = $2", application_id)


async def test_a_new_version_changes_scopes_once_the_business_accepts(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await developer.draft("Books", {"orders:read": ("To know", True), "items:read": ("Names", False)})
    here = f"/developer/applications/{application_id}"
    await developer.send(f"{here}/payment-methods", {"name_en": ["Old pay", "Pay"], "name_ar": ["", ""]})
    await publish(developer, operator, application_id)
    app = await install(owner, business, application_id, "orders:read", "items:read")
    token = await app.token()
    await change(developer, application_id, "Books and letters")
    await developer.send(f"{here}/scopes", scope_fields(WIDER))
    await developer.send(f"{here}/payment-methods", {"name_en": ["New pay", "Pay"], "name_ar": ["", ""]})
    await publish(developer, operator, application_id)
    assert (await business.get("/customers", token=token)).status_code == 403
    assert (await business.get("/items", token=token)).status_code == 200
    page = (await owner.get(app.here)).text
    assert "Version 2 was approved" in page
    assert "It no longer requests: Read services and products" in page
    assert "New version" in (await owner.get("/settings/applications")).text
    stale = {"version": "1", "scopes": ["orders:read", "items:read"]}
    assert await app.post("scopes", stale) == 422
    assert await app.tick("orders:read") == 422
    assert await methods(business, app.id) == {"Old pay": True, "Pay": True}
    assert await app.tick("orders:read", "customers:read") == 303
    assert (await business.get("/customers", token=token)).status_code == 200
    assert (await business.get("/items", token=token)).status_code == 403
    assert await methods(business, app.id) == {"Old pay": False, "New pay": True, "Pay": True}
    page = (await owner.get(app.here)).text
    assert "was approved. Review the changes" not in page
    assert "New version" not in (await owner.get("/settings/applications")).text


async def test_the_webhook_of_an_install_follows_the_version_that_the_business_accepts(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await developer.draft()
    here = f"/developer/applications/{application_id}"
    await developer.send(f"{here}/secret", status=200)
    first = {"url": "https://hooks.example.com/1", "events": ["order.created"]}
    second = {"url": "https://hooks.example.com/2", "events": ["order.created", "order.status_changed"]}
    await developer.send(f"{here}/webhooks", first)
    await publish(developer, operator, application_id)
    app = await install(owner, business, application_id, "orders:read")
    for wanted, on in ((second, True), ({"url": "", "events": []}, False), (first, True)):
        before = await hooks(business, app.id)
        await developer.step(application_id, "withdraw")
        await developer.send(f"{here}/webhooks", wanted)
        await publish(developer, operator, application_id)
        assert await hooks(business, app.id) == before
        assert await app.tick("orders:read") == 303
        (url, events, is_on) = await hooks(business, app.id)
        assert is_on is on
        if on:
            assert (url, events) == (wanted["url"], wanted["events"])


async def test_a_removed_picture_is_shown_as_long_as_the_approved_version_shows_it(
    developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    application_id = await developer.draft()
    assert (await send_picture(developer, application_id, png(64, 64))).status_code == 303
    await publish(developer, operator, application_id)
    (old,) = await picture_ids(developer, application_id)
    await developer.step(application_id, "withdraw")
    assert (await send_picture(developer, application_id, png(32, 32))).status_code == 303
    new = next(one for one in await picture_ids(developer, application_id) if one != old)
    assert (await owner.get(f"/applications/pictures/{old}")).status_code == 200
    assert (await owner.get(f"/applications/pictures/{new}")).status_code == 404
    await publish(developer, operator, application_id)
    assert (await owner.get(f"/applications/pictures/{old}")).status_code == 404
    assert (await owner.get(f"/applications/pictures/{new}")).status_code == 200
    assert await picture_ids(developer, application_id) == [new]


async def test_the_reviewer_sees_what_changed(developer: Developer, operator: DashboardClient) -> None:
    application_id = await approved(developer, operator)
    await change(developer, application_id, "Books and letters")
    await developer.send(f"/developer/applications/{application_id}/scopes", scope_fields(WIDER))
    await developer.step(application_id, "submit")
    page = (await operator.get(f"/operator/applications/{application_id}")).text
    assert "What changed since version 1" in page
    for pattern in (r"added:\s*<bdi><code>customers:read", r"dropped:\s*<bdi><code>items:read", r"<li>\s*Name\s*</li>"):
        assert re.search(pattern, page)


async def test_an_end_of_a_suspension_publishes_what_was_shown_and_leaves_edits_a_draft(
    developer: Developer, operator: DashboardClient, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator, name="Calm books")
    await change(developer, application_id, "Loud books")
    assert await decide(operator, application_id, "suspend", "Fraud") == 303
    assert await decide(operator, application_id, "approve") == 303
    assert await status_of(developer, application_id) == "draft"
    page = (await owner.get(f"/settings/applications/directory/{application_id}")).text
    assert "Calm books" in page
    assert "Loud books" not in page


async def test_the_application_of_sandboxes_is_not_in_the_directory(
    service: Service, business: Shop, owner: DashboardClient, operator: DashboardClient
) -> None:
    (row,) = await business.sql("SELECT application_id FROM installs WHERE tenant_id = $1")
    application_id = row["application_id"]
    real = await service.new_shop()
    await change_tenant(real, is_sandbox=False)
    here = f"/settings/applications/directory/{application_id}"
    async with await dashboard_of(real, await owner_of(real)) as desk:
        assert here not in (await desk.get("/settings/applications/directory")).text
        assert (await desk.get(here)).status_code == 404
        fields = {"id": str(uuid7()), "version": "1", "scopes": ["orders:read"]}
        assert (await desk.post(here, fields)).status_code == 404
    assert "Mizan Pay" in (await owner.get("/settings/applications/directory")).text
    assert (await owner.get(here)).status_code == 200
    listed = (await operator.get("/operator/applications?status=approved")).text
    assert str(application_id) not in listed
    review = f"/operator/applications/{application_id}"
    assert (await operator.get(review)).status_code == 404
    for decision in ("approve", "reject", "suspend"):
        answer = await operator.post(f"{review}/{decision}", {"version": "1", "reason": "Because"})
        assert answer.status_code == 404


async def test_an_application_named_like_that_of_sandboxes_stays_out_of_them(
    developer: Developer, operator: DashboardClient, service: Service
) -> None:
    await approved(developer, operator, name="Mizan Pay")
    shop = await service.new_shop()
    (row,) = await shop.sql(
        "SELECT a.for_sandboxes FROM installs i JOIN applications a ON a.id = i.application_id WHERE i.tenant_id = $1"
    )
    assert row["for_sandboxes"]


async def test_an_approval_waits_for_a_change_and_is_then_refused(
    developer: Developer, operator: DashboardClient
) -> None:
    application_id = await developer.draft()
    await developer.step(application_id, "submit")
    about = Listing(
        "Stolen books", {"en": "Other"}, {"support": ABOUT["link_support"], "privacy": ABOUT["link_privacy"]}
    )
    async with connection(developer.sandbox.dsn) as editing, connection(developer.sandbox.dsn) as deciding:
        async with editing.transaction():
            await withdraw(editing, developer.user_id, application_id)
            await update_listing(editing, developer.user_id, application_id, about)
            await submit(editing, developer.user_id, application_id)
            decided = asyncio.create_task(approve(deciding, application_id, None, 1))
            await waiting(developer.sandbox)
        with pytest.raises(Problem, match="VERSION_CHANGED"):
            await decided
    assert await status_of(developer, application_id) == "in_review"


async def test_a_business_accepts_beside_a_suspension_and_neither_is_lost(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    """Both take the application's row before the install's, so neither waits for the other in a circle."""
    application_id = await approved(developer, operator)
    await let_in(business, application_id)
    (row,) = await business.sql("SELECT id FROM installs WHERE tenant_id = $1 AND application_id = $2", application_id)
    here = f"/settings/applications/installed/{row['id']}/scopes"
    for turn in range(6):
        async with connection(business.dsn) as deciding:
            fields = {"version": "1", "scopes": ["orders:read", "items:read"] if turn % 2 else ["orders:read"]}
            ticked, decided = await asyncio.gather(
                owner.post(here, fields), suspend(deciding, application_id, None, "Fraud"), return_exceptions=True
            )
            assert decided is None
            assert not isinstance(ticked, BaseException)
            assert ticked.status_code == 303
            await approve(deciding, application_id, None, 1)


async def status_of(developer: Developer, application_id: UUID) -> str:
    (row,) = await developer.sandbox.sql(
        "SELECT status FROM applications WHERE id = $2 AND $1::uuid IS NOT NULL", application_id
    )
    return str(row["status"])


async def picture_ids(developer: Developer, application_id: UUID) -> list[UUID]:
    rows = await developer.sandbox.sql(
        "SELECT id FROM application_pictures WHERE application_id = $2 AND $1::uuid IS NOT NULL ORDER BY created_at",
        application_id,
    )
    return [row["id"] for row in rows]


async def methods(business: Shop, install_id: UUID) -> dict[str, bool]:
    rows = await business.sql(
        "SELECT name::text AS name, active FROM payment_methods WHERE tenant_id = $1 AND install_id = $2", install_id
    )
    return {json.loads(row["name"])["en"]: row["active"] for row in rows}


async def hooks(business: Shop, install_id: UUID) -> tuple[str, list[str], bool]:
    (row,) = await business.sql(
        "SELECT w.url, w.events, w.disabled_at IS NULL AS is_on FROM webhooks w JOIN api_clients c "
        "ON c.tenant_id = $1 AND c.id = w.client_id WHERE w.tenant_id = $1 AND c.install_id = $2",
        install_id,
    )
    return row["url"], row["events"], row["is_on"]
