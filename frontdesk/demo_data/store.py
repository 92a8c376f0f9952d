"""The store of the sandbox as rows: catalog, staff, customers and payment methods."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.demo_data import content, people
from frontdesk.demo_data.people import Week
from frontdesk.values.ids import uuid7, uuid7_at
from frontdesk.values.text import search_key

Row = tuple[object, ...]
_LOW_STOCK = 25


class Table(NamedTuple):
    """Rows without tenant_id, which is added when they are inserted."""

    name: str
    columns: str
    rows: Sequence[Row]


class Variant(NamedTuple):
    """Something that can be sold at the catalog price; each option is a separate variant."""

    type: str
    id: UUID
    name: str
    price: Decimal
    duration: int | None = None
    option_id: UUID | None = None
    option_name: str | None = None


class Performer(NamedTuple):
    """A staff member with their services, at their own prices and durations."""

    id: UUID
    week: Week
    services: tuple[Variant, ...]


class DemoCustomer(NamedTuple):
    id: UUID
    since: datetime


class Store(NamedTuple):
    """The ids that orders refer to. Blocked customers are left out, because they buy nothing."""

    branch_id: UUID
    performers: tuple[Performer, ...]
    products: tuple[Variant, ...]
    package: Variant
    shoppers: tuple[DemoCustomer, ...]
    methods: dict[str, UUID]


def opening(now: datetime) -> datetime:
    """When the store opened: long before its first order."""
    return now - timedelta(days=210)


def build_store(rng: Random, now: datetime, install_id: UUID) -> tuple[Store, list[Table]]:
    opened = opening(now)
    branch_id = uuid7()
    items = {item.slug: uuid7() for item in (*content.SERVICES, *content.PRODUCTS)}
    options = {(item.slug, o.name["en"]): uuid7() for item in _items() for o in item.options}
    staff = [uuid7() for _ in people.STAFF]
    package_id = uuid7()
    customers, shoppers = _customers(rng, now, staff)
    tables = [
        _branch(branch_id, opened),
        *_catalog(branch_id, items, options, opened),
        *_package(branch_id, package_id, items, opened),
        *_staff(branch_id, staff, items, opened),
        *_hours(branch_id, staff),
        *customers,
    ]
    methods, method_table = _methods(install_id, opened)
    store = Store(
        branch_id,
        tuple(_performer(p, id_, items, options) for p, id_ in zip(people.STAFF, staff, strict=True)),
        tuple(v for item in content.PRODUCTS for v in _variants("product", item, items, options)),
        Variant("package", package_id, content.PACKAGE.name["ar"], _charged(content.PACKAGE)),
        shoppers,
        methods,
    )
    return store, [*tables, method_table]


def _items() -> tuple[content.Item, ...]:
    return (*content.SERVICES, *content.PRODUCTS)


def _charged(sold: content.Item | content.Option | content.Package) -> Decimal:
    return sold.price if sold.offer_price is None else sold.offer_price


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _variants(
    kind: str, item: content.Item, items: dict[str, UUID], options: dict[tuple[str, str], UUID]
) -> Iterator[Variant]:
    id_, name = items[item.slug], item.name[content.LANGUAGES[0]]
    if not item.options:
        yield Variant(kind, id_, name, _charged(item), item.duration)
    for option in item.options:
        option_id, option_name = options[item.slug, option.name["en"]], option.name[content.LANGUAGES[0]]
        yield Variant(kind, id_, name, _charged(option), option.duration, option_id, option_name)


def _performer(
    provider: people.Provider, id_: UUID, items: dict[str, UUID], options: dict[tuple[str, str], UUID]
) -> Performer:
    services = [
        _as_performed(variant, own)
        for item in content.SERVICES
        if (own := provider.services.get(item.slug)) is not None
        for variant in _variants("service", item, items, options)
    ]
    return Performer(id_, provider.week or people.STORE_WEEK, tuple(services))


def _as_performed(variant: Variant, own: people.StaffOverride) -> Variant:
    """Overrides of a staff member apply to the service itself, not to its options."""
    if variant.option_id is not None:
        return variant
    return variant._replace(price=own.price or variant.price, duration=own.duration or variant.duration)


def _branch(branch_id: UUID, opened: datetime) -> Table:
    b = content.BRANCH
    row = (branch_id, b.name, _json(b.names), b.slug, b.phone, "SA", b.address, b.latitude, b.longitude, b.location)
    columns = "id name names slug phone phone_country address latitude longitude location created_at updated_at"
    return Table("branches", columns, [(*row, opened, opened)])


def _catalog(
    branch_id: UUID, items: dict[str, UUID], options: dict[tuple[str, str], UUID], opened: datetime
) -> Iterator[Table]:
    tax_class = uuid7()
    yield Table("tax_classes", "id name is_default", [(tax_class, _json(content.TAX_CLASS), True)])
    yield Table("tax_rates", "class_id starts_on rate", [(tax_class, content.TAX_SINCE, content.TAX_RATE)])
    categories = {category.slug: uuid7() for category in content.CATEGORIES}
    yield Table(
        "categories",
        "id branch_id name slug description sort_order created_at updated_at",
        [
            (categories[c.slug], branch_id, _json(c.name), c.slug, _json(c.description), n, opened, opened)
            for n, c in enumerate(content.CATEGORIES)
        ],
    )
    yield Table(
        "items",
        "id branch_id category_id type sku name name_search slug description html_description"
        " price offer_price duration cost stock low_stock barcode base_sellable sort_order created_at updated_at",
        [
            (items[item.slug], branch_id, categories[item.category], *_item(n, item), opened, opened)
            for n, item in enumerate(_items())
        ],
    )
    yield Table("tenant_counters", "name value", [("rows:items", len(items))])
    yield from _options(items, options)
    columns = "id item_id option_id change quantity reason created_at"
    yield Table("stock_movements", columns, list(_opening_stock(items, options, opened)))


def _item(position: int, item: content.Item) -> Row:
    kind, sku = ("service", "SV") if item.duration is not None else ("product", "PR")
    return (
        kind,
        f"{sku}-{position + 1:03}",
        _json(item.name),
        search_key("\n".join(item.name.values())),
        item.slug,
        _json(item.description),
        _json(item.html),
        item.price,
        item.offer_price,
        item.duration,
        item.cost,
        item.stock,
        None if item.stock is None else _LOW_STOCK,
        None if item.stock is None or item.options else _barcode(position),
        bool(item.options),  # so that a program that knows nothing of options can order everything
        position,
    )


def _barcode(position: int) -> str:
    """An EAN-13 with its check digit."""
    digits = f"62810154{position:04}"
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def _opening_stock(items: dict[str, UUID], options: dict[tuple[str, str], UUID], opened: datetime) -> Iterator[Row]:
    at = int(opened.timestamp() * 1000)
    for item in _items():
        counted: list[tuple[UUID | None, int | None]] = [
            (options[item.slug, option.name["en"]], option.quantity) for option in item.options if option.quantity
        ]
        for option_id, quantity in counted or [(None, item.stock)]:
            if quantity:
                yield uuid7_at(at), items[item.slug], option_id, quantity, quantity, "opening", opened


def _options(items: dict[str, UUID], options: dict[tuple[str, str], UUID]) -> Iterator[Table]:
    variants: list[Row] = []
    values: list[Row] = []
    links: list[Row] = []
    for item in _items():
        for n, o in enumerate(item.options):
            option_id, item_id = options[item.slug, o.name["en"]], items[item.slug]
            variants.append((option_id, item_id, _json(o.name), o.price, o.offer_price, o.duration, o.quantity, n))
            value_id = uuid7()
            values.append((value_id, item_id, _json(o.value_of), _json(o.name)))
            links.append((option_id, value_id))
    yield Table("item_options", "id item_id name price offer_price duration quantity sort_order", variants)
    yield Table("option_values", "id item_id option_name value", values)
    yield Table("item_option_values", "option_id option_value_id", links)


def _package(branch_id: UUID, package_id: UUID, items: dict[str, UUID], opened: datetime) -> Iterator[Table]:
    p = content.PACKAGE
    row = (package_id, branch_id, _json(p.name), p.slug, "PK-001", _json(p.description), p.price)
    columns = "id branch_id name slug sku description price offer_price created_at updated_at"
    yield Table("packages", columns, [(*row, p.offer_price, opened, opened)])
    contents = [(package_id, items[slug], quantity) for slug, quantity in p.contents]
    yield Table("package_items", "package_id item_id quantity", contents)


def _staff(branch_id: UUID, staff: Sequence[UUID], items: dict[str, UUID], opened: datetime) -> Iterator[Table]:
    team = list(zip(staff, people.STAFF, strict=True))
    columns = "id branch_id name names name_search title phone phone_country email image created_at updated_at"
    contact = [(p.phone, "SA", p.email, p.image, opened, opened) for p in people.STAFF]
    rows = [
        (id_, branch_id, p.name, _json(p.names), search_key(p.name), _json(p.title), *reached)
        for (id_, p), reached in zip(team, contact, strict=True)
    ]
    yield Table("staff", columns, rows)
    performs = [(id_, items[slug], own.price, own.duration) for id_, p in team for slug, own in p.services.items()]
    yield Table("staff_services", "staff_id item_id price duration", performs)
    cashier = (uuid7(), branch_id, people.CASHIER_NAME, people.CASHIER_CODE, opened, opened)
    yield Table("cashiers", "id branch_id name code created_at updated_at", [cashier])


def _hours(branch_id: UUID, staff: Sequence[UUID]) -> Iterator[Table]:
    hours: list[Row] = [(uuid7(), branch_id, None)]
    intervals = list(_intervals(hours[0][0], people.STORE_WEEK))
    for id_, provider in zip(staff, people.STAFF, strict=True):
        if provider.week is not None:
            hours.append((uuid7(), None, id_))
            intervals += _intervals(hours[-1][0], provider.week)
    yield Table("working_hours", "id branch_id staff_id", hours)
    yield Table("working_intervals", "id working_hour_id day opens closes", intervals)


def _intervals(hours_id: object, week: Week) -> Iterator[Row]:
    return ((uuid7(), hours_id, day, *bounds) for day, spans in week.items() for bounds in spans)


def _customers(rng: Random, now: datetime, staff: Sequence[UUID]) -> tuple[list[Table], tuple[DemoCustomer, ...]]:
    """Most were created before the first order; the last five during these weeks."""
    tag_ids = [uuid7() for _ in content.TAGS]
    rows: list[Row] = []
    tagged: list[Row] = []
    shoppers = []
    for n, person in enumerate(people.CUSTOMERS):
        days = rng.uniform(40, 200) if n < len(people.CUSTOMERS) - 5 else rng.uniform(2, 18)
        since = now - timedelta(days=days)
        id_ = uuid7_at(int(since.timestamp() * 1000))
        rows.append((id_, *_person(person), *_care(person, now, staff), since, since))
        tagged += ((id_, tag_ids[tag]) for tag in person.tags)
        if not person.blocked:
            shoppers.append(DemoCustomer(id_, since))
    columns = (
        "id first_name last_name name_search email phone phone_country type city address note blocked"
        " tax_registration_number birthday allergies favorite_staff_id created_at updated_at"
    )
    tables = [
        Table("customers", columns, rows),
        Table("tenant_counters", "name value", [("rows:customers", len(rows))]),
        Table("tags", "id model name name_folded", list(_tags(tag_ids))),
        Table("customer_tags", "customer_id tag_id", tagged),
    ]
    return tables, tuple(shoppers)


def _tags(ids: Iterable[UUID]) -> Iterator[Row]:
    return ((id_, "customers", name, search_key(name)) for id_, name in zip(ids, content.TAGS, strict=True))


def _person(p: people.Person) -> Row:
    kind = "company" if p.tax_number else "individual"
    search = search_key(" ".join(name for name in (p.first_name, p.last_name) if name))
    contact = (p.email, p.phone, "SA", kind, p.city, p.address, p.note, p.blocked, p.tax_number)
    return (p.first_name, p.last_name, search, *contact)


def _care(p: people.Person, now: datetime, staff: Sequence[UUID]) -> Row:
    """What the business knows of them as people. Birthdays come up in the next days, whenever the sandbox is made."""
    born = None if p.birthday_in is None else f"{p.birth_year or '-'}-{now + timedelta(days=p.birthday_in):%m-%d}"
    return born, p.allergies, None if p.favorite is None else staff[p.favorite]


def _methods(install_id: UUID, opened: datetime) -> tuple[dict[str, UUID], Table]:
    offered = (*content.PAYMENT_METHODS, content.APPLICATION_METHOD)
    ids = {method.slug: uuid7() for method in offered}
    rows = [
        (
            ids[m.slug],
            m.type,
            install_id if m is content.APPLICATION_METHOD else None,
            _json(m.name),
            m.slug,
            opened,
            opened,
        )
        for m in offered
    ]
    return ids, Table("payment_methods", "id type install_id name slug created_at updated_at", rows)
