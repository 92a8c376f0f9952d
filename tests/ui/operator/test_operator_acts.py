"""What operators do in the console is recorded with who, what, about whom and from where, and cannot be changed."""

import ast
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

import frontdesk
from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.ui.app import dashboard
from frontdesk.ui.operator.act_labels import ACTIONS, GROUPS
from tests.factories.applications import insert_report
from tests.factories.operator_acts import insert_operator_act
from tests.factories.users import give_second_factor, make_user
from tests.support.applications import decide, new_developer
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pages.page_fixtures import add_account_message
from tests.support.service import Service
from tests.support.shop import Shop

PACKAGE = Path(frontdesk.__file__).parent
FORMS = {page.path for page in dashboard().pages if page.access.operator and page.method == "POST"}
RECORDERS = {
    *("recorded", "record_act", "change_database", "record_command", "_change_user", "_change_operator"),
    *("_on_coordinator", "_record"),
}


@pytest.fixture
async def operator_id(own_shop: Shop) -> UUID:
    return await make_user(own_shop, None, operator=True, name="Omar Operator")


@pytest.fixture
async def operator(own_shop: Shop, operator_id: UUID) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, operator_id) as desk:
        yield desk


async def acts_of(shop: Shop, operator_id: UUID) -> list[Any]:
    return await shop.sql(
        "SELECT * FROM operator_acts WHERE operator_id = $2 AND $1::uuid IS NOT NULL ORDER BY id", operator_id
    )


async def test_every_form_of_the_console_is_recorded(
    service: Service, own_shop: Shop, operator: DashboardClient, operator_id: UUID
) -> None:
    """In the order in which they are posted, each once; what is refused is not recorded."""
    user_id, developer = await make_user(own_shop, Role.RECEPTIONIST), await new_developer(service)
    await give_second_factor(own_shop, user_id)
    async with developer.desk.http:
        rejected, application_id = await developer.draft(), await developer.draft()
        for draft in (rejected, application_id):
            await developer.step(draft, "submit")
    business, person = f"/operator/tenants/{own_shop.tenant_id}", f"/operator/users/{user_id}"
    expected: list[tuple[str, str]] = []

    async def post(path: str, action: str, form: dict[str, str] | None = None) -> None:
        answer = await operator.post(path, form or {})
        assert answer.status_code in (200, 303), (path, answer.text)
        expected.append((action, path))

    new = {"business": "Nour", "email": "nour@example.com", "country": "SA", "plan": "starter"}
    await post("/operator/tenants/new", "business.created", new)
    await post(f"{business}/plan", "business.plan_changed", {"plan": "starter", "seen": "professional"})
    assert (await operator.post(f"{business}/plan", {"plan": "starter", "seen": "professional"})).status_code == 422
    await post(f"{business}/invite", "business.owner_invited", {"email": "owner@example.com"})
    await post(f"{business}/suspend", "business.suspended", {"reason": "unpaid since March"})
    await post(f"{business}/resume", "business.resumed")
    await post(f"{person}/operator", "operator.granted")
    await post(f"{person}/operator/end", "operator.revoked")
    await post(f"{person}/second-factor", "user.second_factor_removed")
    await post(f"{person}/reset-password", "user.reset_link_created")
    await post(f"{person}/disable", "user.disabled")
    await post(f"{person}/enable", "user.enabled")
    await post("/operator/health/sending", "sending.resumed")
    for id_, decision, verb in (
        *((rejected, "reject", "rejected"), (application_id, "approve", "approved")),
        (application_id, "suspend", "suspended"),
    ):
        assert await decide(operator, id_, decision, "because") == 303
        expected.append((f"application.{verb}", f"/operator/applications/{id_}/{decision}"))
    await post(f"/operator/applications/{application_id}/note", "application.noted", {"note": "15 %"})
    report_id = await insert_report(own_shop, application_id)
    await post(f"/operator/applications/{application_id}/reports/{report_id}/close", "application.report_closed")
    (name,) = await own_shop.sql("SELECT name FROM tenants WHERE id = $1")
    await post(f"{business}/delete", "business.deleted", {"name": name["name"]})

    acts = await acts_of(own_shop, operator_id)
    assert [act["action"] for act in acts] == [action for action, _ in expected]
    assert {act["operator_name"] for act in acts} == {"Omar Operator"}
    assert {act["address"] for act in acts} == {"127.0.0.1"}
    about_business = [act for act in acts if act["business_id"] == own_shop.tenant_id]
    assert [act["detail"] for act in about_business] == [
        *("starter", "owner@example.com", "unpaid since March", None, None),
    ]
    assert {act["subject"] for act in about_business} == {name["name"]}
    assert {act["user_id"] for act in acts if act["action"].startswith(("user.", "operator."))} == {user_id}
    ids = {str(own_shop.tenant_id): "{tenant_id}", str(user_id): "{user_id}"}
    ids[str(report_id)] = "{report_id}"
    ids |= {str(id_): "{application_id}" for id_ in (rejected, application_id)}
    assert {"/".join(ids.get(part, part) for part in path.split("/")) for _, path in expected} == FORMS


async def test_who_reads_a_message_with_its_link_is_recorded(
    own_shop: Shop, operator: DashboardClient, operator_id: UUID
) -> None:
    message_id = await add_account_message(own_shop)
    assert (await operator.get(f"/operator/messages/{message_id}")).status_code == 200
    (act,) = await acts_of(own_shop, operator_id)
    (message,) = await own_shop.sql(
        "SELECT email FROM account_messages WHERE id = $2 AND $1::uuid IS NOT NULL", message_id
    )
    assert (act["action"], act["subject"]) == ("message.read", message["email"])


async def test_the_list_is_filtered_by_who_what_where_and_when(own_shop: Shop, operator: DashboardClient) -> None:
    business = f"/operator/tenants/{own_shop.tenant_id}"
    await operator.post(f"{business}/suspend", {"reason": "unpaid <since> March"})
    await operator.post(f"/operator/users/{await make_user(own_shop, Role.CASHIER)}/disable")
    only = f"business={own_shop.tenant_id}"
    shown = (await operator.get(f"/operator/acts?{only}")).text
    assert "suspended the business" in shown
    assert "unpaid &lt;since&gt; March" in shown
    assert "disabled the account of" not in shown
    assert f'href="{business}"' in shown
    for filters, found in {
        "by=console": True,
        "by=command": False,
        "who=Omar+Operator": True,
        "who=nobody": False,
        "what=business": True,
        "what=people": False,
        "from=2020-01-01": True,
        "to=2020-01-01": False,
    }.items():
        page = texts((await operator.get(f"/operator/acts?{only}&{filters}")).text)
        assert ("Nothing matches" in page) is not found, filters
    assert (await operator.get("/operator/acts?from=2026-02-01&to=2026-01-01")).status_code == 422
    assert f"/operator/acts?{only}" in (await operator.get(business)).text


async def test_acts_are_neither_changed_nor_deleted_before_400_days(own_shop: Shop, conn: Connection) -> None:
    kept = await insert_operator_act(conn, "399 days")
    old = await insert_operator_act(conn, "401 days")
    for statement in ("UPDATE operator_acts SET operator_name = 'x'", "DELETE FROM operator_acts"):
        with pytest.raises(asyncpg.RestrictViolationError):
            await conn.execute(f"{statement} WHERE id = $1", kept)
    while await conn.fetchval("SELECT delete_old_operator_acts(1)"):
        pass
    left = await conn.fetch("SELECT id FROM operator_acts WHERE id = ANY ($1)", [kept, old])
    assert [row["id"] for row in left] == [kept]


def test_every_act_has_a_text_and_a_group() -> None:
    found = set()
    for path in (*(PACKAGE / "cli").glob("*.py"), *(PACKAGE / "ui" / "operator").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RECORDERS:
                found |= {
                    leaf.value
                    for argument in node.args
                    for leaf in ast.walk(argument)
                    if isinstance(leaf, ast.Constant) and leaf.value in ACTIONS
                }
    assert found == ACTIONS.keys() - {"api_client.disabled", "api_client.enabled", "api_client.deleted"}
    nouns = {noun for _, group in GROUPS.values() for noun in group}
    assert {action.partition(".")[0] for action in ACTIONS} == nouns
