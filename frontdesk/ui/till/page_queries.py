"""What the page of the till shows: what is on sale, what is in the cart, and the orders that wait."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.catalog.options import duration_range, price_range
from frontdesk.customers.balance_queries import BALANCE
from frontdesk.customers.care_queries import CARE_NOTES, CareNote
from frontdesk.postgres.query import Query, decoded
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX_OF, TAXES

MAX_TILES = 60
MAX_WAITING = 8
_FEW_SOLD = 12  # if fewer different items were sold, the rest is shown below them
_RECENT_ORDERS = 500  # what was sold most often is counted in these


class Choice(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]  # by language


class TillBranch(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class Method(msgspec.Struct, frozen=True):
    id: UUID
    type: str
    name: dict[str, str]


class Tile(msgspec.Struct, frozen=True):
    """Prices are those that are charged."""

    id: UUID
    kind: str
    name: dict[str, str]
    price: Decimal
    offer_price: Decimal | None
    duration: int | None
    stock: int | None
    parts: int
    category_id: UUID | None
    picture_id: UUID | None
    is_pinned: bool
    base_sellable: bool
    option_prices: list[Decimal]  # of the options that are on sale
    provider_prices: list[Decimal]  # without an option
    option_durations: list[int | None]
    provider_durations: list[int | None]

    @property
    def charged(self) -> Decimal:
        return self.price if self.offer_price is None else self.offer_price

    @property
    def needs_option(self) -> bool:
        return not self.base_sellable

    @property
    def prices(self) -> tuple[Decimal, Decimal]:
        """The lowest and the highest."""
        without = self.provider_prices or [self.charged]
        return price_range(self.option_prices, without, base_sellable=self.base_sellable)

    @property
    def durations(self) -> tuple[int, int]:
        """Of a service: the shortest and the longest, in minutes."""
        options, providers = self.option_durations, self.provider_durations
        return duration_range(self.duration or 0, options, providers, base_sellable=self.base_sellable)

    @property
    def is_unsold(self) -> bool:
        """None of its options is on sale."""
        return self.needs_option and not self.option_prices


class Option(msgspec.Struct, frozen=True):
    id: UUID
    item_id: UUID
    name: dict[str, str]
    price: Decimal
    offer_price: Decimal | None
    duration: int | None
    stock: int | None


class Performer(msgspec.Struct, frozen=True):
    item_id: UUID
    staff_id: UUID
    name: str


class WaitingOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    customer: str | None
    items: list[str]
    staff: str | None
    payment_status: str
    left: Decimal
    starts_at: datetime | None


class CartCustomer(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    email: str | None
    blocked: bool
    allergies: str | None
    notes: list[CareNote]
    account_limit: Decimal | None  # None: buys nothing on account
    owes: Decimal


class TillRead(msgspec.Struct, frozen=True):
    branches: list[TillBranch]
    branch_id: UUID
    categories: list[Choice]
    has_packages: bool
    tiles: list[Tile]
    chosen: list[Tile]  # the items of the cart, and the one whose option is chosen
    options: list[Option]  # of those
    performers: list[Performer]
    methods: list[Method]
    waiting: list[WaitingOrder]  # the first appointments of today
    all_waiting: int
    parked: list[WaitingOrder]
    customer: CartCustomer | None
    is_drawer_open: bool  # for all, or for the user
    own_shifts: bool
    sale_status: str | None  # of the order that the cart has become


class TillFilter(NamedTuple):
    branch_id: UUID | None
    sale_id: UUID
    customer_id: UUID | None
    ids: Sequence[UUID]  # of the cart
    category_id: UUID | None
    packages: bool
    search: str
    often: bool  # what is pinned comes first, then what was sold most often
    today: UUID  # the lowest id of today


# What was sold often is shown alone, and everything after it if little was sold. A product without stock is shown
# too: the till says so, and refuses it.
_TILE = """json_build_object(
        'id', t.id, 'kind', t.kind, 'name', t.name, 'price', t.price::text, 'offer_price', t.offer_price::text,
        'base_sellable', t.base_sellable, 'option_prices', t.option_prices::text[],
        'provider_prices', t.provider_prices::text[], 'option_durations', t.option_durations,
        'provider_durations', t.provider_durations, 'category_id', t.category_id, 'picture_id', t.picture_id,
        'is_pinned', t.pinned_at IS NOT NULL,
        'duration', t.duration, 'stock', t.stock, 'parts', CASE WHEN t.kind = 'package' THEN (
            SELECT count(*) FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = t.id) ELSE 0 END)"""
# One item or package by the id `k.id`.
_DETAIL = f"""
    SELECT i.id, i.type AS kind, i.name, {CHARGED.format("i.price")} AS price,
        {CHARGED.format(OFFER.format("i"))} AS offer_price, i.duration, i.stock, {BASE_SELLABLE} AS base_sellable,
        ARRAY(SELECT {CHARGED.format(f"coalesce({OFFER_OF_OPTION.format('i', 'v')}, v.price)")}
            FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active) AS option_prices,
        ARRAY(SELECT {CHARGED.format(f"coalesce(ss.price, {OFFER.format('i')}, i.price)")}
            FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.active) AS provider_prices,
        ARRAY(SELECT v.duration FROM item_options v
            WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active) AS option_durations,
        ARRAY(SELECT ss.duration FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.active) AS provider_durations,
        i.category_id, i.picture_id, i.pinned_at
    FROM items i {TAX_OF.format("i", "taxes")} WHERE i.tenant_id = $1 AND i.id = k.id
    UNION ALL
    SELECT p.id, 'package', p.name, {CHARGED.format("p.price")}, {CHARGED.format(OFFER.format("p"))}, NULL, NULL, true,
        '{{}}', '{{}}', '{{}}', '{{}}', NULL, p.picture_id, p.pinned_at
    FROM packages p {TAX_OF.format("p", "taxes")} WHERE p.tenant_id = $1 AND p.id = k.id"""
_ON_SALE = """
    SELECT i.id, false AS is_package, c.sort_order AS category_order, i.sort_order, i.pinned_at
    FROM items i LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
    WHERE i.tenant_id = $1 AND i.branch_id = (SELECT id FROM branch) AND i.status AND NOT $7::boolean
        AND ($6::uuid IS NULL OR i.category_id = $6) AND ($8 = '' OR position($8 IN i.name_search) > 0)
        AND coalesce(i.id = ANY ((SELECT ids FROM picked)::uuid[]) OR i.pinned_at IS NOT NULL, true)
    UNION ALL
    SELECT p.id, true, NULL, 0, p.pinned_at FROM packages p
    WHERE p.tenant_id = $1 AND p.branch_id = (SELECT id FROM branch) AND p.status AND $6::uuid IS NULL
        AND ($8 = '' OR position($8 IN lower(p.name::text)) > 0)
        AND coalesce(p.id = ANY ((SELECT ids FROM picked)::uuid[]) OR p.pinned_at IS NOT NULL, true)"""
_ORDER = """CASE WHEN $9 THEN pinned_at END NULLS LAST, sold DESC NULLS LAST, is_package, category_order NULLS LAST,
        sort_order, id"""
TODAY = """tstzrange(day_start(local_today(context.timezone), context.timezone),
        day_start(local_today(context.timezone) + 1, context.timezone))"""
# What is sold today counts from tomorrow on, so that no tile changes its place during the day; so do lines
# that are added today to an earlier order. Ids begin with the time.
_OFTEN = f"""
    SELECT coalesce(l.item_id, l.package_id) AS id, sum(l.quantity) AS sold
    FROM (SELECT id FROM orders WHERE tenant_id = $1 AND branch_id = (SELECT id FROM branch) AND parent_id IS NULL
            AND created_at < lower({TODAY}) ORDER BY order_number DESC LIMIT {_RECENT_ORDERS}) o
    JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id AND (l.id < $10 OR o.id >= $10)
    WHERE $9::boolean GROUP BY 1"""
_WAITING = """json_build_object(
        'id', o.id, 'number', o.order_number, 'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
        'items', ARRAY(SELECT coalesce(coalesce(i.name, p.name) ->> $11::text, l.name) FROM order_lines l
            LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
            LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
            WHERE l.tenant_id = $1 AND l.order_id = o.id ORDER BY l.position LIMIT 3),
        'staff', (SELECT s.name FROM order_lines l JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
            WHERE l.tenant_id = $1 AND l.order_id = o.id ORDER BY l.position LIMIT 1),
        'payment_status', o.payment_status, 'left', (o.total - o.paid_amount)::text,
        'starts_at', format_utc(o.starts_at))"""
# Orders on account are settled on the customer's account page, so they do not wait at the till.
UNPAID = """o.payment_status IN ('unpaid', 'partially_paid') AND o.parent_id IS NULL AND o.total > o.paid_amount
    AND NOT o.on_account"""
# The branch $2 if it is open, else the first one.
BRANCH = """SELECT b.id FROM branches b WHERE b.tenant_id = $1
        ORDER BY b.status AND coalesce(b.id = $2::uuid, false) DESC, b.status DESC, b.created_at, b.id LIMIT 1"""
# What is still to come waits for nothing yet.
WAITS = f"""{UNPAID} AND o.status NOT IN ('draft', 'canceled') AND coalesce(o.starts_at < upper({TODAY}), true)"""
_READ = f"""
    WITH taxes AS MATERIALIZED {TAXES}, branch AS MATERIALIZED ({BRANCH}),
    often AS MATERIALIZED ({_OFTEN}), picked AS MATERIALIZED (
        SELECT array_agg(id) AS ids FROM often HAVING count(*) >= {_FEW_SOLD}
    ), tiles AS (
        SELECT n.id, row_number() OVER (ORDER BY {_ORDER}) AS position
        FROM (SELECT k.*, f.sold FROM ({_ON_SALE}) k LEFT JOIN often f ON f.id = k.id
              ORDER BY {_ORDER} LIMIT {MAX_TILES}) n
    )
    SELECT json_build_object(
        'branches', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name)
                ORDER BY b.name, b.id), '[]')
            FROM branches b WHERE b.tenant_id = $1 AND b.status),
        'branch_id', (SELECT id FROM branch),
        'categories', (SELECT coalesce(json_agg(json_build_object('id', c.id, 'name', c.name)
                ORDER BY c.sort_order, c.id), '[]')
            FROM categories c WHERE c.tenant_id = $1 AND c.status AND c.branch_id = (SELECT id FROM branch)),
        'has_packages', EXISTS (SELECT FROM packages p WHERE p.tenant_id = $1 AND p.status),
        'tiles', (SELECT coalesce(json_agg({_TILE} ORDER BY k.position), '[]')
            FROM tiles k, LATERAL ({_DETAIL} OFFSET 0) t),
        'chosen', (SELECT coalesce(json_agg({_TILE}), '[]')
            FROM (SELECT DISTINCT unnest($5::uuid[]) AS id) k, LATERAL ({_DETAIL} OFFSET 0) t),
        'options', (SELECT coalesce(json_agg(json_build_object('id', v.id, 'item_id', v.item_id, 'name', v.name,
                'price', {CHARGED.format("v.price")}::text,
                'offer_price', {CHARGED.format(OFFER_OF_OPTION.format("i", "v"))}::text,
                'duration', v.duration, 'stock', v.quantity)
                ORDER BY v.sort_order, v.id), '[]')
            FROM item_options v JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id {TAX_OF.format("i", "taxes")}
            WHERE v.tenant_id = $1 AND v.item_id = ANY($5) AND v.is_active),
        'performers', (SELECT coalesce(json_agg(json_build_object('item_id', ss.item_id, 'staff_id', s.id,
                'name', s.name) ORDER BY s.sort_order, s.name_search COLLATE "C", s.id), '[]')
            FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = ANY($5) AND s.active AND s.branch_id = (SELECT id FROM branch)),
        'methods', (SELECT coalesce(json_agg(json_build_object('id', m.id, 'type', m.type, 'name', m.name)
                ORDER BY m.sort_order, m.created_at, m.id), '[]')
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL),
        'waiting', (SELECT coalesce(json_agg({_WAITING} ORDER BY o.starts_at, o.order_number), '[]')
            FROM (SELECT * FROM orders o WHERE o.tenant_id = $1 AND o.starts_at >= lower({TODAY})
                    AND o.starts_at < upper({TODAY}) AND o.branch_id = (SELECT id FROM branch) AND {UNPAID}
                    AND o.status NOT IN ('draft', 'canceled') ORDER BY o.starts_at LIMIT {MAX_WAITING}) o
            LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id),
        'all_waiting', (SELECT count(*) FROM orders o
            WHERE o.tenant_id = $1 AND o.branch_id = (SELECT id FROM branch) AND {WAITS}),
        'parked', (SELECT coalesce(json_agg({_WAITING} ORDER BY o.order_number DESC), '[]')
            FROM (SELECT * FROM orders o WHERE o.tenant_id = $1 AND o.status = 'draft' AND o.source = 'pos'
                    AND o.branch_id = (SELECT id FROM branch) AND o.starts_at IS NULL
                    ORDER BY o.order_number DESC LIMIT {MAX_WAITING}) o
            LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id),
        'customer', (SELECT json_build_object('id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name),
                'phone', c.phone, 'email', c.email, 'blocked', c.blocked, 'allergies', c.allergies,
                'notes', {CARE_NOTES}, 'account_limit', c.account_limit::text, 'owes', {BALANCE}::text)
            FROM customers c WHERE c.tenant_id = $1 AND c.id = $4),
        'is_drawer_open', EXISTS (SELECT 1 FROM drawer_sessions d WHERE d.tenant_id = $1
            AND d.branch_id = (SELECT id FROM branch) AND d.closed_at IS NULL
            AND (d.cashier_id IS NULL OR d.cashier_id = $12)),
        'own_shifts', context.own_shifts,
        'sale_status', (SELECT o.status FROM orders o WHERE o.tenant_id = $1 AND o.id = $3))::text AS document
    FROM (SELECT $2::uuid, $3::uuid, $4::uuid, $5::uuid[], $6::uuid, $7::boolean, $8::text, $9::boolean,
        $10::uuid, $11::text, $12::uuid) given
"""


def read_till(filter_: TillFilter, language: str | None, user_id: UUID) -> Query[TillRead]:
    """`language` is for the names of what waits; None means the tenant's first language."""
    values = (*filter_._replace(ids=list(filter_.ids)), language, user_id)
    return Query(_READ, values, decoded(TillRead))
