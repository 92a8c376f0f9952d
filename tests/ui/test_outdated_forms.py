"""A form that was opened before its record changed changes nothing. The table of pages is read: none is left out."""

import html
from collections.abc import AsyncIterator
from typing import NamedTuple

import msgspec
import pytest

from frontdesk.auth.types import Role
from frontdesk.ui.app import dashboard
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.routing import Page
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.page_fixtures import ids_for
from tests.support.pages.page_forms import FORMS
from tests.support.service import Service
from tests.support.shop import Shop
from tests.ui.test_permissions import everything

FORMS_SENT = [page for page in dashboard().pages if page.context is PageContext and page.method == "POST"]
# The record itself, or what the page showed of it: a role, a plan, the secret's prefix, the sums of a day.
SEEN = {"version", "seen", "expected", "shown_total", "encrypted"}
# What makes or adds something: the form has its id, or the same again changes nothing.
ADDS = {
    *("/sign-up", "/sign-up/finish", "/developers/sign-up", "/developers/sign-up/finish", "/developer/join"),
    *("/developer/applications/new", "/operator/tenants/new"),
    *("/setup/services", "/setup/team"),
    *("/settings/members/invite", "/operator/tenants/{tenant_id}/invite", "/settings/api/clients/new", "/import"),
    *("/settings/api/keys/new", "/settings/api/clients/{client_id}/webhooks/new", "/orders/views/new", "/till/hold"),
    *("/till/approve", "/orders/{order_id}/void"),
    *("/drawer/open", "/drawer/move", "/till/return", "/orders/{order_id}/link", "/orders/{order_id}/receipt/link"),
    *("/orders/{order_id}/receipt/mail", "/calendar/new"),
    *("/calendar/new/series", "/waiting-list/{entry_id}/offer", "/customers/new", "/till/customer"),
    *("/customers/{customer_id}/notes", "/customers/{customer_id}/tags", "/customers/{customer_id}/consent"),
    *("/customers/{customer_id}/photos", "/customers/{customer_id}/photo-consent"),
    *("/settings/business/tax-classes/new", "/settings/payment-methods/new", "/settings/payment-methods/cashiers/new"),
    *(
        "/staff/{staff_id}/time-off/new",
        "/staff/{staff_id}/block",
        "/staff/{staff_id}/feed",
        "/settings/branches/{branch_id}/feed",
    ),
    *("/catalogue/{item_id}/copy", "/catalogue/packages/{package_id}/copy", "/catalogue/{item_id}/stock"),
    *("/reports/commissions/rates/new", "/developer/applications/{application_id}/pictures"),
    *("/settings/notices/messages/{message_id}/again", "/staff/{staff_id}/outside-calendar/fetch"),
    *(f"/settings/api/clients/{{client_id}}/webhooks/{{webhook_id}}{act}" for act in ("/ping", "/again")),
    "/settings/api/clients/{client_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/again",
    "/settings/applications/directory/{application_id}/report",
    "/settings/applications/installed/{install_id}/budget/more",
    *("/settings/sandbox/faults", "/settings/sandbox/snapshots"),
}
# Of the person who sends it: the session, the account and how the pages look.
OWN = {
    *("/sign-in", "/sign-out", "/sign-in/second-factor", "/sign-in/passkey", "/sign-in/passkey/answer"),
    *("/end-session", "/businesses/{tenant_id}", "/branch", "/language", "/theme", "/invitation", "/verify-email"),
    *("/forgot-password", "/reset-password", "/setup/hide", "/till", "/orders/bulk", "/bell/read"),
    *("/calendar/side", "/calendar/view", "/reports/favorites", "/reports/monthly"),
    *(page.path for page in FORMS_SENT if page.path.startswith("/settings/account/") and "{factor" not in page.path),
}
# A button that names the state that it leads to: off, blocked, left, deleted, one place up. Pressed again or later, it
# leads to the same state and replaces no value that a person has typed.
NAMES_ITS_STATE = {
    *("/attention/services/{item_id}/perform", "/attention/no-tax", "/attention/mail", "/attention/dismiss"),
    *("/operator/health/sending", "/attention/staff/{staff_id}/member", "/till/pins"),
    *("/day-close/{close_id}/reopen", "/shifts/{shift_id}/reopen", "/reports/commissions/rates/basis"),
    *("/settings/members/second-factor", "/settings/members/{user_id}/remove", "/waiting-list/{entry_id}/remove"),
    *("/settings/account/second-factor/{factor_id}/remove", "/settings/api/keys/{key_id}/revoke"),
    *("/settings/members/invitations/{invitation_id}/withdraw", "/import/{import_id}/stop", "/import/{import_id}/undo"),
    *(f"/settings/api/clients/{{client_id}}/{act}" for act in ("disable", "enable", "delete")),
    *(f"/settings/api/clients/{{client_id}}/webhooks/{{webhook_id}}/{act}" for act in ("on", "off", "delete")),
    *(f"/customers/{{customer_id}}/{act}" for act in ("block", "unblock", "consent/withdraw")),
    *("/customers/{customer_id}/photo-consent/withdraw", "/customers/{customer_id}/photos/{photo_id}/delete"),
    *("/customers/{customer_id}/not-the-same/{other_id}", "/customers/{customer_id}/tags/{tag_id}/remove"),
    *(f"/customers/{{customer_id}}/notes/{{note_id}}/{act}" for act in ("warning", "delete")),
    *("/settings/business/tax-classes/{class_id}/delete", "/reports/commissions/rates/{rate_id}/delete"),
    *(f"/settings/payment-methods/{{method_id}}/{act}" for act in ("active", "move", "delete")),
    *(f"/catalogue/{{item_id}}/{act}" for act in ("status", "move", "delete")),
    *(f"/catalogue/packages/{{package_id}}/{act}" for act in ("status", "delete")),
    *(f"/catalogue/categories/{{category_id}}/{act}" for act in ("move", "delete")),
    *("/staff/{staff_id}/place", "/staff/{staff_id}/leave", "/staff/{staff_id}/return"),
    *(f"/settings/branches/{{branch_id}}/{act}" for act in ("activate", "deactivate")),
    *("/settings/hours/{branch_id}/open", "/settings/applications/installed/{install_id}/disconnect"),
    *(f"/developer/applications/{{application_id}}/{act}" for act in ("submit", "withdraw", "secret")),
    *("/developer/applications/{application_id}/pictures/{picture_id}/remove",),
    *(f"/operator/applications/{{application_id}}/{act}" for act in ("suspend", "note")),
    "/operator/applications/{application_id}/reports/{report_id}/close",
    *(f"/operator/tenants/{{tenant_id}}/{act}" for act in ("suspend", "resume", "delete")),
    *(
        f"/settings/sandbox/{act}"
        for act in ("clock", "faults/clear", "reset", "snapshots/restore", "snapshots/delete")
    ),
    *(page.path for page in FORMS_SENT if page.path.startswith("/operator/users/")),
}
# These look at the booking as it is now.
LOOKS_AGAIN = {f"/staff/{{staff_id}}/leave/{{booking_id}}/{act}" for act in ("assign", "move", "cancel")}
# Only one developer edits these.
OF_ONE_PERSON = {
    f"/developer/applications/{{application_id}}/{part}"
    for part in ("about", "scopes", "webhooks", "payment-methods", "redirects")
}
# Forms whose other fields are wrong here, or whose record is not there; their own tests send an old version.
ELSEWHERE = {
    "/settings/account/second-factor/{factor_id}",
    *("/setup/business", "/setup/place", "/setup/look"),
    "/orders/bulk/run",
    *("/orders/{order_id}/move", "/orders/{order_id}/move/anyway", "/orders/{order_id}/move/undo"),
    "/staff/{staff_id}/block/{time_off_id}/delete",
    "/orders/{order_id}/edit",
    "/staff/{staff_id}/outside-calendar",
    "/settings/hours/{branch_id}/exceptions/{exception_id}",
    "/settings/hours/{branch_id}/exceptions/{exception_id}/delete",
    "/oauth/authorize",
    "/operator/applications/{application_id}/approve",
    "/operator/applications/{application_id}/reject",
}
OUTDATED = ("changed this (", "was changed after you opened it", "has changed meanwhile", "The developer has ")
# The new secret was shown once, to the person who was faster.
REPLACED = {
    f"/settings/{part}" for part in ("api/clients/{client_id}/rotate", "applications/installed/{install_id}/secret")
}
MORE = {"/staff/{staff_id}/edit": {"name": "Huda"}, "/settings/notices/words": {"act": "save", "words_en": "Come."}}


def fields_of(page: Page) -> set[str]:
    return set() if page.form is None else {field.name for field in msgspec.structs.fields(page.form)}


def is_new(page: Page) -> bool:
    return page.path.endswith("/new")


VERSIONED = [page for page in FORMS_SENT if "version" in fields_of(page) and not is_new(page)]


def test_every_form_says_what_it_was_filled_from_or_replaces_nothing() -> None:
    without = {page.path for page in FORMS_SENT if not is_new(page) and not SEEN & fields_of(page)}
    explained = ADDS | OWN | NAMES_ITS_STATE | LOOKS_AGAIN | OF_ONE_PERSON
    assert sorted(without - explained) == []
    assert sorted(explained - {page.path for page in FORMS_SENT}) == []


async def rows_of(shop: Shop) -> dict[str, tuple[int, int]]:
    """Uses of scopes are written a second after the requests that made the rows."""
    return {
        table: rows
        for table, rows in (await everything(shop)).items()
        if table not in ("scope_usage", "used_operations", "customer_reads")
    }


class Desk(NamedTuple):
    shop: Shop
    owner: DashboardClient


@pytest.fixture(scope="module")
async def desk(service: Service) -> AsyncIterator[Desk]:
    shop = await service.new_shop()
    async with await dashboard_of(shop, await owner_of(shop)) as owner:
        yield Desk(shop, owner)


@pytest.mark.parametrize("page", [page for page in VERSIONED if page.path not in ELSEWHERE], ids=lambda page: page.path)
async def test_an_outdated_form_changes_nothing_and_says_so(desk: Desk, page: Page) -> None:
    ids = await ids_for(desk.shop, page.path)
    fields = {"id": str(uuid7()), **FORMS.get(page.path, {}), **MORE.get(page.path, {}), "version": "77"}
    if "branch_id" in fields_of(page):
        fields["branch_id"] = str(ids["branch_id"])
    before = await rows_of(desk.shop)
    answer = await desk.owner.post(page.path.format(**ids), fields, page="/settings/account")
    assert await rows_of(desk.shop) == before
    assert answer.status_code == (303 if page.path in REPLACED else 422)
    assert page.path in REPLACED or any(text in answer.text for text in OUTDATED)


async def test_a_role_that_another_owner_has_changed_stays(own_shop: Shop, owner: DashboardClient) -> None:
    member = await make_user(own_shop, Role.RECEPTIONIST)
    path = f"/settings/members/{member}/role"
    assert (await owner.post(path, {"role": "cashier", "seen": "receptionist"})).status_code == 303
    late = await owner.post(path, {"role": "manager", "seen": "receptionist"})
    assert late.status_code == 422
    assert "changed this" in late.text
    (row,) = await own_shop.sql("SELECT role FROM memberships WHERE tenant_id = $1 AND user_id = $2", member)
    assert row["role"] == "cashier"


async def test_a_plan_that_another_operator_has_changed_stays(own_shop: Shop) -> None:
    async with await dashboard_of(own_shop, await make_user(own_shop, None, operator=True)) as operator:
        path = f"/operator/tenants/{own_shop.tenant_id}/plan"
        assert (await operator.post(path, {"plan": "starter", "seen": "professional"})).status_code == 303
        late = await operator.post(path, {"plan": "professional", "seen": "professional"})
        assert late.status_code == 422
        assert "changed this" in late.text
        kept = await operator.get(f"/operator/tenants/{own_shop.tenant_id}")
    assert 'name="seen" value="starter"' in kept.text


@pytest.mark.parametrize(
    ("path", "mine", "theirs"),
    [
        ("/settings/drawers", {"own_shifts": "true"}, {"blind_count": "true"}),
        ("/settings/cancel-reasons", {"en": ["Ill"], "ar": [""]}, {"en": ["Late"], "ar": [""]}),
    ],
)
async def test_settings_that_another_manager_has_changed_stay(
    owner: DashboardClient, path: str, mine: dict[str, str], theirs: dict[str, str]
) -> None:
    seen = html.unescape((await owner.get(path)).text.partition('name="seen" value="')[2].partition('"')[0])
    assert (await owner.post(path, {**theirs, "seen": seen})).status_code == 303
    late = await owner.post(path, {**mine, "seen": seen})
    assert late.status_code == 422
    assert any(text in late.text for text in OUTDATED)
