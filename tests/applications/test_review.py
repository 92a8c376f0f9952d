"""The way of an application through review, and what an operator's suspension does at every business."""

import asyncio
import json
from uuid import UUID

from tests.factories.users import owner_of
from tests.support.applications import ABOUT, Developer, approved, decide, install, scope_fields
from tests.support.branch import line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.programs.commands import invoke
from tests.support.shop import Shop
from tests.support.waiting import eventually


async def state(shop: Shop, application_id: UUID) -> tuple[str, str | None]:
    (row,) = await shop.sql(
        "SELECT status, review_reason FROM applications WHERE id = $2 AND $1::uuid IS NOT NULL", application_id
    )
    return row["status"], row["review_reason"]


async def test_a_draft_is_handed_in_rejected_with_a_reason_changed_and_approved(
    developer: Developer, operator: DashboardClient, shop: Shop
) -> None:
    application_id = await developer.draft()
    await developer.step(application_id, "submit")
    assert await state(shop, application_id) == ("in_review", None)
    assert await decide(operator, application_id, "reject") == 422
    assert await decide(operator, application_id, "reject", "  ") == 422
    assert await decide(operator, application_id, "reject", "Say where data is kept.") == 303
    assert await state(shop, application_id) == ("rejected", "Say where data is kept.")
    assert "Say where data is kept." in (await developer.desk.get(f"/developer/applications/{application_id}")).text
    await developer.send(f"/developer/applications/{application_id}/about", {"name": "Better books", **ABOUT})
    await developer.step(application_id, "submit")
    assert await decide(operator, application_id, "approve") == 303
    page = (await operator.get(f"/operator/applications/{application_id}")).text
    assert page.count("Submitted") == 2
    assert "Rejected: <bdi>Say where data is kept.</bdi>" in page
    assert "Omar Operator" in page


async def test_each_decision_is_possible_in_its_own_statuses_only(
    developer: Developer, operator: DashboardClient, shop: Shop
) -> None:
    application_id = await developer.draft()
    for decision in ("approve", "reject"):
        assert await decide(operator, application_id, decision, "Because") == 422
    await developer.step(application_id, "withdraw", status=422)
    await developer.step(application_id, "submit")
    await developer.step(application_id, "submit", status=422)
    await developer.send(f"/developer/applications/{application_id}/about", {"name": "x"}, status=422)
    await developer.send(f"/developer/applications/{application_id}/scopes", scope_fields({}), status=422)
    assert await decide(operator, application_id, "approve") == 303
    assert await decide(operator, application_id, "approve") == 422
    assert await decide(operator, application_id, "reject", "Late") == 422
    assert await decide(operator, application_id, "suspend") == 422
    assert await decide(operator, application_id, "suspend", "Fraud") == 303
    assert await decide(operator, application_id, "suspend", "Again") == 422
    assert await state(shop, application_id) == ("suspended", "Fraud")
    for step in ("submit", "withdraw"):
        await developer.step(application_id, step, status=422)


async def test_only_approved_applications_are_found_and_installed_by_other_businesses(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await developer.draft("Unseen books")
    here = f"/settings/applications/directory/{application_id}"
    sandbox = await dashboard_of(developer.sandbox, await owner_of(developer.sandbox))
    for step in (None, "submit"):
        if step:
            await developer.step(application_id, step)
        assert (await owner.get(here)).status_code == 404
        assert (
            await owner.post(here, {"id": str(business.tenant_id), "version": "0", "scopes": ["orders:read"]})
        ).status_code == 404
        assert "Unseen books" not in (await owner.get("/settings/applications/directory")).text
        assert "Unseen books" in (await sandbox.get("/settings/applications/directory")).text
    app = await install(sandbox, developer.sandbox, application_id, "orders:read")
    assert (await developer.sandbox.get("/orders", token=await app.token())).status_code == 200
    await decide(operator, application_id, "approve")
    assert "Unseen books" in (await owner.get("/settings/applications/directory?text=UNSEEN")).text
    assert (await owner.get(here)).status_code == 200
    await sandbox.http.aclose()


async def test_edits_of_an_approved_application_are_hidden_until_approved(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    app = await install(owner, business, application_id, "orders:read")
    token = await app.token()
    await developer.step(application_id, "withdraw")
    wider = {"orders:read": ("To know", True), "customers:read": ("To write to them", True)}
    await developer.send(f"/developer/applications/{application_id}/scopes", scope_fields(wider))
    assert (await business.get("/orders", token=token)).status_code == 200
    assert "customers:read" not in (await owner.get(app.here)).text
    assert await app.tick("orders:read", "customers:read") == 422
    await developer.step(application_id, "submit")
    await decide(operator, application_id, "approve")
    assert await app.tick("orders:read", "customers:read") == 303
    assert (await business.get("/customers", token=token)).status_code == 200


async def test_a_suspension_stops_an_application_everywhere_and_its_end_brings_it_back(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await developer.draft("Pay later")
    names = {"name_en": ["Pay later"], "name_ar": [""]}
    await developer.send(f"/developer/applications/{application_id}/payment-methods", names)
    await developer.step(application_id, "submit")
    await decide(operator, application_id, "approve")
    app = await install(owner, business, application_id, "orders:read")
    token = await app.token()
    (method,) = await business.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id = $2", app.id)
    assert await decide(operator, application_id, "suspend", "It sold addresses.") == 303
    assert (await business.get("/orders", token=token)).status_code == 401
    assert await paid(business, method["id"]) == "payment_method_unavailable"
    page = (await owner.get(app.here)).text
    assert "It sold addresses." in page
    assert (await owner.get(f"/settings/applications/directory/{application_id}")).status_code == 404
    assert await decide(operator, application_id, "approve", "Settled.") == 303
    assert (await business.get("/orders", token=token)).status_code == 200
    assert await paid(business, method["id"]) == ""


async def test_a_business_that_disconnects_a_suspended_application_does_not_get_it_back(
    developer: Developer, operator: DashboardClient, business: Shop, owner: DashboardClient
) -> None:
    application_id = await approved(developer, operator)
    app = await install(owner, business, application_id, "orders:read")
    token = await app.token()
    await decide(operator, application_id, "suspend", "Fraud")
    assert await app.post("disconnect") == 303
    await decide(operator, application_id, "approve")
    assert (await business.get("/orders", token=token)).status_code == 401
    assert (await owner.get(app.here)).status_code == 404


async def test_the_reviewer_sees_which_scopes_were_tried_and_what_failed(
    developer: Developer, operator: DashboardClient
) -> None:
    application_id = await developer.draft()
    page = (await operator.get(f"/operator/applications/{application_id}")).text
    assert "never installed in its developer" in page
    app = await install(developer.desk, developer.sandbox, application_id, "orders:read")
    token = await app.token()
    await developer.sandbox.get("/orders", token=token)
    await developer.sandbox.get("/items", token=token)

    async def shows_it() -> bool:
        page = (await operator.get(f"/operator/applications/{application_id}")).text
        return "1 use" in page and page.count("Never used") == 1 and "insufficient_scope" in page

    await eventually(shows_it)


async def test_operators_keep_a_note_of_the_commission(developer: Developer, operator: DashboardClient) -> None:
    application_id = await developer.draft()
    here = f"/operator/applications/{application_id}"
    assert (await operator.post(f"{here}/note", {"note": "5 % of orders"})).status_code == 303
    assert "5 % of orders" in (await operator.get(here)).text


async def test_applications_are_reviewed_by_commands_too(developer: Developer, shop: Shop) -> None:
    application_id = await developer.draft()
    await developer.step(application_id, "submit")
    waiting = json.loads(await run(shop, "operator", "applications", "--json"))
    slug = next(one["slug"] for one in waiting if one["id"] == str(application_id))
    assert "--reason" in await run(shop, "operator", "reject", slug, "--version", "1", fails=True)
    assert "--version" in await run(shop, "operator", "approve", slug, fails=True)
    shown = ["--version", "1"]
    for command, seen, status in (
        ("reject", shown, "rejected"),
        ("suspend", [], "suspended"),
        ("approve", shown, "approved"),
    ):
        await run(shop, "operator", command, slug, *seen, "--reason", "By command.")
        assert await state(shop, application_id) == (status, "By command.")
    assert "No such application" in await run(
        shop, "operator", "approve", "nothing-at-all", "--version", "1", fails=True
    )
    refused = await run(shop, "operator", "approve", slug, "--version", "1", fails=True)
    assert refused == "frontdesk: This cannot be decided about an application that is 'approved'.\n"


async def run(shop: Shop, *arguments: str, fails: bool = False) -> str:
    given = {"FRONTDESK_DATABASE_URL": shop.dsn}
    outcome = await asyncio.to_thread(invoke, arguments, given)
    assert outcome.exit_code == (2 if fails else 0), outcome.output
    return outcome.stderr if fails else outcome.stdout


async def paid(business: Shop, method_id: UUID) -> str:
    """What paying an order by that method is refused with, if it is."""
    branch = await open_branch(business)
    body = branch.order(line(await branch.add_product(), "product"))
    answer = await business.post("/orders", {**body, "payment": {"amount": 1, "payment_method_id": str(method_id)}})
    return str(answer.json().get("error", ""))


async def test_the_reviewer_reads_how_it_does_when_something_goes_wrong(
    developer: Developer, operator: DashboardClient
) -> None:
    """The newest report of any of its clients in the sandbox, what failed first."""
    application_id = await developer.draft()
    pages = (
        (operator, f"/operator/applications/{application_id}"),
        (developer.desk, f"/developer/applications/{application_id}"),
    )
    for desk, here in pages:
        assert "No report was sent yet" in (await desk.get(here)).text
    app = await install(developer.desk, developer.sandbox, application_id, "orders:read")
    shown = {"group": "flow", "expected": "one <order> is made"}
    scenarios = [
        {"id": "books", "outcome": "passed", "title": "A booking", **shown},
        {"id": "pay-once", "outcome": "skipped", "title": "A payment", **shown},
        {"id": "lost-answer", "outcome": "failed", "title": "A lost answer", "message": "made 2 orders", **shown},
    ]
    sent = {"kit": "frontdesk 1.0.0", "scenarios": scenarios}
    answer = await developer.sandbox.post("/sandbox/conformance", sent, token=await app.token())
    assert answer.status_code == 200, answer.text
    for desk, here in pages:
        page = (await desk.get(here)).text
        told = ("1 scenario failed", "1 passed", "1 skipped", "frontdesk 1.0.0", "made 2 orders", "one &lt;order&gt;")
        assert [text for text in told if text not in page] == []
        places = [page.index(f"<code>{id_}</code>") for id_ in ("lost-answer", "pay-once", "books")]
        assert places == sorted(places)
    own = await developer.sandbox.post("/sandbox/conformance", {**sent, "kit": "that of another client"})
    assert own.status_code == 200
    assert "that of another client" not in (await operator.get(pages[0][1])).text
