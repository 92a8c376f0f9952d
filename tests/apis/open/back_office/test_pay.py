"""Applications set commission rates and change cashiers."""

from tests.support.full_requests.pay import cashier_body, made_cashier, made_rate, rate_body
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.shop import Shop


async def test_a_commission_rate_is_made_changed_and_deleted(own_shop: Shop) -> None:
    body = await rate_body(own_shop)
    rate = json_exact(await own_shop.post("/commission-rates", body), 201)["data"]
    await made_rate(own_shop)
    listed = json_exact(await own_shop.get("/commission-rates"))["data"]
    assert rate in listed
    pages = [json_exact(await own_shop.get("/commission-rates", params={"page": n, "per_page": 1})) for n in (1, 2)]
    assert [page["data"] for page in pages] == [listed[:1], listed[1:2]]
    assert pages[0]["meta"]["total"] == len(listed)
    twice = await own_shop.post("/commission-rates", body)
    assert list(assert_error(twice, 422, "validation_error")["errors"]) == ["starts_on"]
    path = f"/commission-rates/{rate['id']}"
    changed = json_exact(await own_shop.request("PATCH", path, json={"percent": 20}))["data"]
    told = {"percent": 20, "version": rate["version"] + 1, "updated_at": changed["updated_at"]}
    assert changed == {**rate, **told}
    stale = await own_shop.request("PATCH", path, json={"percent": 30, "version": rate["version"]})
    assert_error(stale, 409, "version_conflict")
    assert (await own_shop.request("DELETE", path)).status_code == 204
    assert rate["id"] not in [one["id"] for one in json_exact(await own_shop.get("/commission-rates"))["data"]]


async def test_rates_are_not_shown_to_who_only_reads_staff(own_shop: Shop) -> None:
    await made_rate(own_shop)
    token = await own_shop.new_token(scope="staff:read")
    assert_error(await own_shop.get("/commission-rates", token=token), 403, "insufficient_scope")


async def test_a_cashier_is_made_changed_and_leaves(own_shop: Shop) -> None:
    cashier, other = await made_cashier(own_shop), await made_cashier(own_shop)
    path = f"/cashiers/{cashier['id']}"
    changed = json_exact(await own_shop.request("PATCH", path, json={"status": False, "name": "Reem"}))["data"]
    told = {"name": "Reem", "status": False, "version": cashier["version"] + 1, "updated_at": changed["updated_at"]}
    assert changed == {**cashier, **told}
    listed = json_exact(await own_shop.get("/cashiers"))["data"]
    assert listed[-1] == changed
    second = json_exact(await own_shop.get("/cashiers", params={"page": 2, "per_page": 1}))
    assert (second["data"], second["meta"]["total"]) == (listed[1:2], len(listed))
    assert json_exact(await own_shop.request("PATCH", path, json={"name": "Reem"}))["data"] == changed
    stale = await own_shop.request("PATCH", path, json={"name": "Sara", "version": cashier["version"]})
    assert_error(stale, 409, "version_conflict")
    taken = await own_shop.request("PATCH", path, json={"code": other["code"]})
    assert list(assert_error(taken, 422, "validation_error")["errors"]) == ["code"]
    again = await own_shop.post("/cashiers", {**await cashier_body(own_shop), "code": other["code"]})
    assert list(assert_error(again, 422, "validation_error")["errors"]) == ["code"]
