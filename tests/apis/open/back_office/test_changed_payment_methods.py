"""Applications rename, switch off and delete payment methods."""

from tests.support.branch import BranchFixture, line
from tests.support.full_requests.payment_methods import made_method
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.shop import Shop


async def test_a_payment_method_is_renamed_switched_off_and_deleted(own_shop: Shop) -> None:
    method = await made_method(own_shop)
    path = f"/payment-methods/{method['id']}"
    named = json_exact(await own_shop.request("PATCH", path, json={"name": {"en": "Loyalty"}}))["data"]
    assert (named["name"], named["status"], named["version"]) == ({"en": "Loyalty"}, True, method["version"] + 1)
    off = json_exact(await own_shop.request("PATCH", path, json={"status": False, "version": named["version"]}))["data"]
    assert (off["name"], off["status"]) == ({"en": "Loyalty"}, False)
    assert json_exact(await own_shop.request("PATCH", path, json={"status": False}))["data"] == off
    stale = await own_shop.request("PATCH", path, json={"status": True, "version": method["version"]})
    assert_error(stale, 409, "version_conflict")
    assert (await own_shop.request("DELETE", path)).status_code == 204
    assert_error(await own_shop.get(path), 404, "not_found")


async def test_a_payment_method_keeps_a_name_of_its_own(own_shop: Shop) -> None:
    one, other = await made_method(own_shop), await made_method(own_shop)
    path = f"/payment-methods/{one['id']}"
    for name in (other["name"], {}, {"en": "x" * 81}):
        answer = await own_shop.request("PATCH", path, json={"name": name})
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["name"]


async def test_a_payment_method_with_payments_is_not_deleted(own_branch: BranchFixture) -> None:
    shop, method = own_branch.shop, await made_method(own_branch.shop)
    order = await own_branch.place(line(await own_branch.add_product(), "product"))
    payment = {"amount": 1, "payment_method_id": method["id"]}
    json_exact(await shop.post(f"/orders/{order['id']}/payments", payment), 201)
    refused = await shop.request("DELETE", f"/payment-methods/{method['id']}")
    assert "has payments" in assert_error(refused, 422, "validation_error")["message"]
