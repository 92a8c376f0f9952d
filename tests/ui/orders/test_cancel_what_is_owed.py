"""Canceling an order on account: a receptionist needs the PIN of an owner or a manager, on the page that cancels."""

from uuid import UUID

from frontdesk.auth.types import Role
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.factories.users import make_user, owner_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop

PIN = "2749"


async def _owed_order(shop: Shop) -> UUID:
    order_id = await make_order(shop, 2, price="10")
    await change_row(shop, "orders", order_id, on_account=True)
    return order_id


async def _approver(shop: Shop, owner: DashboardClient) -> str:
    assert (await owner.post("/settings/account/pin", {"pin": PIN})).status_code == 303
    return str(await owner_of(shop))


async def test_a_receptionist_cancels_what_is_owed_with_a_pin(own_shop: Shop, owner: DashboardClient) -> None:
    order_id, approver = await _owed_order(own_shop), await _approver(own_shop, owner)
    path = f"/orders/{order_id}/cancel"
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        page = (await desk.get(path)).text
        sent = {**form_fields(page, path), "approver": approver}
        assert approver in page
        outdated = await desk.post(path, {**sent, "version": "99", "pin": "90210817"})
        assert "changed" in texts(outdated.text)
        for pin, why in (("", "has to allow this"), ("90210817", "Wrong PIN")):
            refused = await desk.post(path, {**sent, "pin": pin})
            assert (refused.status_code, why in texts(refused.text)) == (422, True), texts(refused.text)
            assert 'name="pin"' in refused.text
        assert (await desk.post(path, {**sent, "pin": PIN})).status_code == 303
        assert (await desk.post(path, {**sent, "pin": ""})).status_code == 303  # it is canceled already
    (entry,) = await own_shop.sql(
        """
        SELECT max(approved_by::text) AS approved_by, count(*) FILTER (WHERE action = 'member.pin_refused') AS tries
        FROM activity WHERE tenant_id = $1 AND action IN ('order.status_changed', 'member.pin_refused')
        """
    )
    assert (entry["approved_by"], entry["tries"]) == (approver, 1)


async def test_nobody_is_asked_for_what_is_not_owed(own_shop: Shop, owner: DashboardClient) -> None:
    await _approver(own_shop, owner)
    order_id, owed = await make_order(own_shop, 2, price="10"), await _owed_order(own_shop)
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        path = f"/orders/{order_id}/cancel"
        page = (await desk.get(path)).text
        assert 'name="pin"' not in page
        assert (await desk.post(path, form_fields(page, path))).status_code == 303
    path = f"/orders/{owed}/cancel"
    page = (await owner.get(path)).text
    assert "no longer owed" in texts(page)
    assert 'name="pin"' not in page
    assert (await owner.post(path, form_fields(page, path))).status_code == 303
