"""Payment methods: created once, renamed, ordered, switched off; those with payments and of applications stay."""

from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.changes import change_rows
from tests.factories.orders import make_order, make_tip
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.shop import Shop

HERE = "/settings/payment-methods"


async def names(shop: Shop) -> list[str]:
    rows = await shop.sql(
        "SELECT name ->> 'en' AS name FROM payment_methods WHERE tenant_id = $1 ORDER BY sort_order, created_at, id"
    )
    return [found["name"] for found in rows]


async def method(shop: Shop, name: str) -> UUID:
    (found,) = await shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND name ->> 'en' = $2", name)
    method_id: UUID = found["id"]
    return method_id


async def create(desk: DashboardClient, name: str) -> None:
    fields = {"id": str(uuid7()), "type": "voucher", "name_en": name, "name_ar": ""}
    for _ in range(2):  # a double click
        assert (await desk.post(f"{HERE}/new", fields, page=f"{HERE}/new")).status_code == 303


async def test_a_method_is_created_once_renamed_moved_and_deleted(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    before, others = await names(own_shop), await names(other_shop)
    await create(owner, "Gift card")
    assert await names(own_shop) == [*before, "Gift card"]
    empty = await owner.post(f"{HERE}/new", {"id": str(uuid7()), "type": "other"}, page=f"{HERE}/new")
    assert (empty.status_code, "Enter a name." in empty.text) == (422, True)
    again = {"id": str(uuid7()), "type": "voucher", "name_en": "gift card"}  # after Back
    taken = await owner.post(f"{HERE}/new", again, page=f"{HERE}/new")
    assert (taken.status_code, "Another payment method has this name." in taken.text) == (422, True)
    id_ = await method(own_shop, "Gift card")
    as_cash = {"version": "1", "name_en": before[0]}
    assert "Another payment method has this name." in (await owner.post(f"{HERE}/{id_}", as_cash, page=HERE)).text
    stale = form_fields((await owner.get(f"{HERE}/{id_}")).text, f"{HERE}/{id_}")
    assert (await owner.post(f"{HERE}/{id_}", {**stale, "name_en": "Voucher"}, page=HERE)).status_code == 303
    assert (await owner.post(f"{HERE}/{id_}", {**stale, "name_en": "Late"}, page=HERE)).status_code == 422
    assert (await owner.post(f"{HERE}/{id_}/move", {"move": "up"}, page=HERE)).status_code == 303
    assert await names(own_shop) == [*before[:-1], "Voucher", before[-1]]
    assert (await owner.post(f"{HERE}/{id_}/delete", page=HERE)).status_code == 303
    assert (await names(own_shop), await names(other_shop)) == (before, others)
    actions = await own_shop.sql("SELECT action FROM activity WHERE tenant_id = $1 ORDER BY id")
    assert [entry["action"].split(".")[1] for entry in actions] == ["created", "updated", "updated", "deleted"]


async def test_a_method_with_payments_is_switched_off_and_not_deleted(own_shop: Shop, owner: DashboardClient) -> None:
    (used,) = await own_shop.sql(
        "SELECT payment_method_id AS id FROM transactions t JOIN payment_methods m ON m.tenant_id = t.tenant_id "
        "AND m.id = t.payment_method_id WHERE t.tenant_id = $1 AND m.install_id IS NULL LIMIT 1"
    )
    path = f"{HERE}/{used['id']}"
    assert "Switch it off instead" in (await owner.post(f"{path}/delete", page=HERE)).text
    asked = (await owner.get(f"{path}/delete")).text
    assert ("It has no payments" in asked, 'class="button button-danger"' in asked) == (False, False)
    assert "/delete" not in (await owner.get(path)).text
    offered = [found["id"] for found in (await own_shop.get("/payment-methods")).json()["data"]]
    assert str(used["id"]) in offered
    assert (await owner.post(f"{path}/active", {"active": "off"}, page=HERE)).status_code == 303
    offered = [found["id"] for found in (await own_shop.get("/payment-methods")).json()["data"]]
    assert str(used["id"]) not in offered
    await change_rows(own_shop, "payment_methods", active=False)
    assert "No payment method is in use" in (await owner.get(HERE)).text
    assert (await owner.post(f"{path}/active", {"active": "on"}, page=HERE)).status_code == 303
    assert "No payment method is in use" not in (await owner.get(HERE)).text


async def test_a_method_by_which_only_a_tip_was_paid_is_not_deleted(own_shop: Shop, owner: DashboardClient) -> None:
    await create(owner, "Gift card")
    gift_card = await method(own_shop, "Gift card")
    await make_tip(own_shop, await make_order(own_shop, 1), gift_card)
    refused = await owner.post(f"{HERE}/{gift_card}/delete", page=HERE)
    assert (refused.status_code, "Switch it off instead" in refused.text) == (422, True)


async def test_the_method_of_an_application_keeps_its_name(own_shop: Shop, owner: DashboardClient) -> None:
    (found,) = await own_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id IS NOT NULL")
    path = f"{HERE}/{found['id']}"
    assert "provides this payment method" in texts((await owner.get(path)).text)
    assert (await owner.post(path, {"version": "1", "name_en": "Mine"}, page=HERE)).status_code == 422
    assert (await owner.post(f"{path}/delete", page=HERE)).status_code == 422


async def test_a_cashier_has_a_code_of_their_own(own_shop: Shop, owner: DashboardClient) -> None:
    branch = await own_shop.first("/branches")
    new = f"{HERE}/cashiers/new"
    fields = {"id": str(uuid7()), "name": "Huda", "code": "77", "branch": branch["id"]}
    assert (await owner.post(new, fields, page=new)).status_code == 303
    taken = await owner.post(new, {**fields, "id": str(uuid7())}, page=new)
    assert (taken.status_code, "Another cashier uses this code." in taken.text) == (422, True)
    (found,) = await own_shop.sql("SELECT id FROM cashiers WHERE tenant_id = $1 AND code = '77'")
    path = f"{HERE}/cashiers/{found['id']}"
    shown = form_fields((await owner.get(path)).text, path)
    shown.pop("active")
    assert (await owner.post(path, shown, page=path)).status_code == 303
    assert (await own_shop.sql("SELECT active FROM cashiers WHERE tenant_id = $1 AND code = '77'"))[0][
        "active"
    ] is False
