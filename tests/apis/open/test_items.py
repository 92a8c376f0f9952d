from decimal import Decimal
from urllib.parse import parse_qs, quote, urlsplit
from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import branch_of, make_option_value, make_service
from tests.factories.changes import change_named, change_rows, change_tenant
from tests.factories.people import assign_service, make_staff
from tests.support.events import NO_CUSTOM_DATA
from tests.support.pagination import Document, ids, json_exact, read_all, text, utc
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

_COMMON = [
    "id", "type", "sku", "name", "slug", "description", "html_description", "status", "price", "offer_price",
    "tax", "currency", "options", "base_sellable", "category", "branch", "created_at", "updated_at",
    "version", "barcode", "entered_price", "entered_offer_price", "offer_from", "offer_until", "tax_class_id",
    *NO_CUSTOM_DATA,
]  # fmt: skip
_SERVICE = ["duration", "buffer_before", "buffer_after"]
_PRODUCT = ["cost", "supplier", "stock", "stock_counted", "low_stock"]


async def _id(shop: Shop, slug: str) -> UUID:
    found: UUID = (await shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND slug = $2", slug))[0]["id"]
    return found


async def _detail(shop: Shop, slug: str) -> Document:
    document: Document = json_exact(await shop.get(f"/items/{await _id(shop, slug)}"))["data"]
    return document


async def test_a_service_in_the_list_is_published_as_it_is_kept(shop: Shop, other_shop: Shop) -> None:
    (kept,) = await shop.sql(
        """
        SELECT i.*, c.name AS category_name, b.name AS branch_name
        FROM items i JOIN categories c ON (c.tenant_id, c.id) = (i.tenant_id, i.category_id)
        JOIN branches b ON (b.tenant_id, b.id) = (i.tenant_id, i.branch_id)
        WHERE i.tenant_id = $1 AND i.slug = 'blow-dry'
        """
    )
    (found,) = [item for item in json_exact(await shop.get("/items"))["data"] if item["slug"] == "blow-dry"]
    assert found == {
        "id": str(kept["id"]),
        "type": "service",
        "sku": kept["sku"],
        "name": {"ar": "استشوار", "en": "Blow-dry"},
        "slug": "blow-dry",
        "description": text(kept["description"]),
        "html_description": text(kept["html_description"]),
        "status": True,
        "price": Decimal("80"),
        "offer_price": Decimal("65"),
        "tax": {"rate": Decimal("15"), "included": True},
        "currency": "SAR",
        "options": [],
        "base_sellable": True,
        "category": {"id": str(kept["category_id"]), "name": text(kept["category_name"]), "status": True},
        "branch": {"id": str(kept["branch_id"]), "name": kept["branch_name"]},
        "duration": 30,
        "buffer_before": kept["buffer_before"],
        "buffer_after": kept["buffer_after"],
        "version": kept["version"],
        "barcode": kept["barcode"],
        "entered_price": Decimal("80"),
        "entered_offer_price": Decimal("65"),
        "offer_from": None,
        "offer_until": None,
        "tax_class_id": None,
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
        **NO_CUSTOM_DATA,
    }


async def test_services_have_a_duration_and_products_cost_and_stock(shop: Shop) -> None:
    for item in json_exact(await shop.get("/items"))["data"]:
        own = _SERVICE if item["type"] == "service" else _PRODUCT
        assert sorted(item) == sorted(_COMMON + own)
    haircut, polish = await _detail(shop, "haircut"), await _detail(shop, "nail-polish")
    assert sorted(haircut) == sorted([*_COMMON, *_SERVICE, "staff"])
    assert sorted(polish) == sorted([*_COMMON, *_PRODUCT])
    assert (haircut["duration"], haircut["price"], haircut["offer_price"]) == (45, Decimal("120"), None)
    assert (polish["cost"], polish["price"], polish["offer_price"]) == tuple(map(Decimal, ("11.25", "39", "33.15")))
    (kept,) = await shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND slug = 'nail-polish'")
    assert polish["stock"] == kept["stock"]


async def test_a_service_option_has_a_duration_and_its_values(shop: Shop) -> None:
    kept = await shop.sql(
        """
        SELECT o.*, v.id AS value_id FROM items i JOIN item_options o ON (o.tenant_id, o.item_id) = (i.tenant_id, i.id)
        JOIN item_option_values iv ON (iv.tenant_id, iv.option_id) = (i.tenant_id, o.id)
        JOIN option_values v ON (v.tenant_id, v.id) = (i.tenant_id, iv.option_value_id)
        WHERE i.tenant_id = $1 AND i.slug = 'hair-colour' ORDER BY o.sort_order
        """
    )
    prices = [(Decimal(250), None), (Decimal(320), Decimal(290)), (Decimal(400), None)]
    lengths = ["قصير", "متوسط", "طويل"]
    assert (await _detail(shop, "hair-colour"))["options"] == [
        {
            "id": str(row["id"]),
            "name": length,
            "names": text(row["name"]),
            "sku": row["sku"],
            "barcode": row["barcode"],
            "price": price,
            "offer_price": offer,
            "entered_price": price,
            "entered_offer_price": offer,
            "is_active": True,
            "duration": minutes,
            "values": [{"option_value_id": str(row["value_id"]), "option_name": "طول الشعر", "value": length}],
        }
        for row, length, (price, offer), minutes in zip(kept, lengths, prices, (90, 120, 150), strict=True)
    ]


async def test_a_product_option_has_a_quantity(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_named(own, "item_options", "500 ml", is_active=False)
    await change_named(own, "item_options", "250 ml", quantity=None)
    small, large = (await _detail(own, "argan-shampoo"))["options"]
    fields = ["id", "is_active", "name", "offer_price", "price", "quantity", "quantity_counted", "values"]
    fields += ["names", "sku", "barcode", "entered_price", "entered_offer_price", "low_stock"]
    assert sorted(small) == sorted(large) == sorted(fields)
    assert (small["name"], small["quantity"], small["quantity_counted"]) == ("250 مل", 0, False)
    (kept,) = await own.sql("SELECT quantity FROM item_options WHERE tenant_id = $1 AND name ->> 'en' = '500 ml'")
    assert (large["quantity"], large["offer_price"], large["is_active"]) == (kept["quantity"], Decimal(89), False)


async def test_several_values_of_an_option_have_one_order(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    (option,) = await own.sql("SELECT id FROM item_options WHERE tenant_id = $1 AND name ->> 'en' = '250 ml'")
    for name, value in (("Colour", "red"), ("Box", "tin")):
        await make_option_value(own, option["id"], name, value)
    values = (await _detail(own, "argan-shampoo"))["options"][0]["values"]
    assert [(v["option_name"], v["value"]) for v in values] == [
        ("Box", "tin"),
        ("Colour", "red"),
        ("الحجم", "250 مل"),
    ]


async def test_empty_fields_of_an_item_are_published_as_null(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    bare = await make_service(own, "Bare", price="10")
    document = json_exact(await own.get(f"/items/{bare}"))["data"]
    empty = ["sku", "description", "html_description", "offer_price", "category"]
    assert [document[field] for field in empty] == [None] * len(empty)
    assert (document["options"], document["staff"]) == ([], [])


async def test_a_service_names_who_performs_it_at_which_price(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    item = await _id(own, "blow-dry")  # 80, on offer at 65, 30 minutes
    await assign_service(own, await make_staff(own, "aa plain"), item)
    await assign_service(own, await make_staff(own, "Ab dear"), item, price="99.50")
    await assign_service(own, await make_staff(own, "ac slow"), item, duration=50)
    await assign_service(own, await make_staff(own, "ad free"), item, price="0")
    await assign_service(own, await make_staff(own, "ae gone", active=False), item, price="1")
    staff = (await _detail(own, "blow-dry"))["staff"]
    assert all(sorted(member) == ["duration", "id", "name", "price"] for member in staff)
    assert [(m["name"], m["price"], m["duration"]) for m in staff] == [
        ("aa plain", Decimal(65), 30),
        ("Ab dear", Decimal("99.50"), 30),
        ("ac slow", Decimal(65), 50),
        ("ad free", Decimal(0), 30),
        ("Maha Al-Otaibi", Decimal(65), 30),
        ("ريم القحطاني", Decimal(95), 45),
        ("نورة الحربي", Decimal(65), 30),
    ]


@pytest.mark.parametrize(
    ("currency", "decimals", "written"),
    [("KWD", 3, "120.125"), ("JPY", 0, "120"), ("SAR", 2, "120.13")],
)
async def test_prices_are_numbers_with_the_decimals_of_the_currency(
    service: Service, other_shop: Shop, currency: str, decimals: int, written: str
) -> None:
    own = await service.new_shop()
    await change_tenant(own, currency=currency, currency_decimals=decimals)
    exact = Decimal("120.125")
    await change_rows(own, "items", price=exact, offer_price=exact)
    await change_rows(own, "items", {"type": "product"}, cost=exact)
    await change_rows(own, "item_options", price=exact, offer_price=exact)
    await change_rows(own, "staff_services", price=exact)
    for slug in ("hair-colour", "argan-shampoo"):
        answer = await own.get(f"/items/{await _id(own, slug)}")
        document = json_exact(answer)["data"]
        amounts = [document["price"], document["offer_price"], document.get("cost", document["price"])]
        amounts += [o[field] for o in document["options"] for field in ("price", "offer_price")]
        amounts += [member["price"] for member in document.get("staff", [])]
        assert {str(amount) for amount in amounts} == {written}
        assert document["currency"] == currency
        assert f'"price":{written},' in answer.text


async def test_a_large_price_keeps_every_digit(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    await change_tenant(own, currency="KWD", currency_decimals=3)
    item = await make_service(own, "Palace", price="123456789012.345")
    assert json_exact(await own.get(f"/items/{item}"))["data"]["price"] == Decimal("123456789012.345")


async def test_items_come_in_the_order_of_the_business_and_each_once(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for n in range(9):
        await make_service(own, f"Extra {n}", price="1", sort_order=(3, 3, 3, -1, 7, 7, 7, 99, 99)[n])
    kept = await own.sql("SELECT id, type, sort_order FROM items WHERE tenant_id = $1")
    kept.sort(key=lambda row: (row["sort_order"], row["id"]))
    assert len(kept) == 23
    for path, rows in (("/items", kept), ("/items?type=service", [row for row in kept if row["type"] == "service"])):
        expected = [str(row["id"]) for row in rows]
        for per_page in (1, 7, 100):
            assert ids(await read_all(own, path, per_page)) == expected
            assert ids(await read_all(own, path, per_page, backward=True)) == expected


@pytest.mark.parametrize("filters", [{}, {"type": "service"}, {"name": "a"}])
async def test_pages_of_items_are_the_same_from_both_ends(shop: Shop, filters: dict[str, str]) -> None:
    everything = ids(json_exact(await shop.get("/items", params={"per_page": 100, **filters}))["data"])
    assert len(everything) >= 8
    for page in range(1, len(everything) // 3 + 3):
        answer = json_exact(await shop.get("/items", params={"page": page, "per_page": 3, **filters}))
        assert ids(answer["data"]) == everything[(page - 1) * 3 : page * 3]
        assert answer["meta"]["total"] == len(everything)


async def test_packages_are_not_items(shop: Shop) -> None:
    (package,) = await shop.sql("SELECT id FROM packages WHERE tenant_id = $1")
    json_exact(await shop.get(f"/items/{package['id']}"), 404)
    assert {item["type"] for item in json_exact(await shop.get("/items"))["data"]} == {"service", "product"}


@pytest.mark.parametrize(
    ("wanted", "slugs"),
    [
        ("HAIR", ["haircut", "hair-colour", "hair-mask", "oud-hair-mist"]),
        ("air c", ["hair-colour"]),
        ("شعر", ["haircut", "hair-colour", "hair-mask", "oud-hair-mist"]),
        ("  haircut ", ["haircut"]),
        ("%", []),
        ("_", []),
        ("hair%", []),
        ("h_ircut", []),
        ("haircut\nblow", []),
        ("' OR true --", []),
    ],
)
async def test_a_name_is_looked_for_anywhere_in_any_language(shop: Shop, wanted: str, slugs: list[str]) -> None:
    answer = json_exact(await shop.get("/items", params={"name": wanted}))
    assert [item["slug"] for item in answer["data"]] == slugs
    assert answer["meta"]["total"] == len(slugs)


async def test_an_item_search_takes_percent_and_underscore_literally(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    plain = str(await make_service(own, "Cut 50% off_season & more+", price="1"))
    for wanted in ("50%", "f_s", "& more+", "%", "_", "+"):
        answer = json_exact(await own.get("/items", params={"name": wanted}))
        assert ids(answer["data"]) == [plain], wanted


async def test_links_keep_the_filters_whatever_they_hold(service: Service, other_shop: Shop) -> None:
    own = await service.new_shop()
    for wanted in ("<شعر>", "<hair & nails>", "<100%>", "<a+b>", "<a=b&type=product>", "<x#y?z>", "<%41>"):
        added = [str(await make_service(own, f"{n} {wanted}", price="1", sort_order=n)) for n in range(3)]
        path = f"/items?name={quote(wanted)}&type=service&unknown=1"
        links = json_exact(await own.get(path + "&per_page=1"))["links"]
        for name, page in {"first": "1", "next": "2", "last": "3"}.items():
            link = urlsplit(links[name])
            assert f"{link.scheme}://{link.netloc}{link.path}" == f"{own.origin}/open-api/v1/items"
            asked = {"name": [wanted], "type": ["service"], "page": [page], "per_page": ["1"]}
            assert parse_qs(link.query, strict_parsing=True) == asked
        assert ids(await read_all(own, path, 1)) == ids(await read_all(own, path, 1, backward=True)) == added


async def test_a_type_that_is_no_type_of_item_is_refused(shop: Shop) -> None:
    for wrong in ("package", "", "Service"):
        answer = json_exact(await shop.get("/items", params={"type": wrong}), 422)
        assert answer["errors"] == {"type": ["must be one of service, product"]}


async def test_an_item_of_another_business_does_not_exist(shop: Shop, other_shop: Shop) -> None:
    for path in (f"/items/{await _id(other_shop, 'haircut')}", f"/items/{uuid4()}", f"/items/{await branch_of(shop)}"):
        assert json_exact(await shop.get(path), 404)["error"] == "not_found"
    theirs = set(ids(await read_all(other_shop, "/items", 100)))
    assert theirs.isdisjoint(ids(await read_all(shop, "/items", 100)))
