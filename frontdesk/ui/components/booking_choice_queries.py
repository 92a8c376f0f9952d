"""The choices of the booking form: one statement for the whole form."""

from datetime import datetime
from decimal import Decimal
from itertools import groupby
from uuid import UUID

import msgspec

from frontdesk.attention.rules import ITEM_WITHOUT_OPTION
from frontdesk.catalog.options import duration_range, price_range
from frontdesk.customers.care_queries import CARE_NOTES, CareNote
from frontdesk.customers.favorite_queries import FAVORITE, USUAL, Provider
from frontdesk.customers.list_queries import VISITED
from frontdesk.orders.types import Notice
from frontdesk.postgres.query import Query, decoded
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX_OF, TAXES


class Performing(msgspec.Struct, frozen=True):
    """A provider of a service, with their own price, as it is charged, and their own duration if they have them."""

    staff_id: UUID
    price: Decimal | None
    duration: int | None


class ServiceOption(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    price: Decimal
    duration: int | None


class ServiceChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    category: dict[str, str] | None
    duration: int
    price: Decimal
    base_sellable: bool
    options: list[ServiceOption]
    performers: list[Performing]

    @property
    def prices(self) -> tuple[Decimal, Decimal]:
        """The lowest and the highest."""
        without = [self.price if performer.price is None else performer.price for performer in self.performers]
        return price_range([option.price for option in self.options], without, base_sellable=self.base_sellable)

    @property
    def durations(self) -> tuple[int, int]:
        """The shortest and the longest, in minutes."""
        return duration_range(
            self.duration,
            [option.duration for option in self.options],
            [performer.duration for performer in self.performers],
            base_sellable=self.base_sellable,
        )

    @property
    def needs_option(self) -> bool:
        return not self.base_sellable


class NamedChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class MethodChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]


class CustomerChoice(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    phone: str | None
    blocked: bool
    is_erased: bool
    last_visit: datetime | None
    notice: Notice | None
    allergies: str | None
    notes: list[CareNote]
    favorite: Provider | None  # chosen by hand
    usual: Provider | None  # seen from the visits

    @property
    def favorite_id(self) -> UUID | None:
        """Whom to choose first."""
        provider = self.favorite or self.usual
        return provider.id if provider else None


class BookingChoices(msgspec.Struct, frozen=True):
    country: str | None
    branch_id: UUID | None
    branches: list[NamedChoice]
    services: list[ServiceChoice]  # of the branch, with at least one provider
    staff: list[NamedChoice]
    methods: list[MethodChoice]
    customer: CustomerChoice | None
    notices: list[Notice]  # to a new customer: with an e-mail address, and with a phone number where that is possible

    @property
    def by_category(self) -> list[tuple[dict[str, str] | None, list[ServiceChoice]]]:
        return [(category, list(listed)) for category, listed in groupby(self.services, lambda s: s.category)]

    def service(self, item_id: UUID) -> ServiceChoice | None:
        return next((service for service in self.services if service.id == item_id), None)

    def staff_name(self, staff_id: UUID | str | None) -> str:
        return next((member.name for member in self.staff if str(member.id) == str(staff_id)), "")


def booking_choices(
    branch_id: UUID | None, staff_id: UUID | None, customer_id: UUID | None, waiting_id: UUID | None = None
) -> Query[BookingChoices]:
    """The branch is the given one, else that of the provider or of the waited-for service, else the first."""
    return Query(_CHOICES, (branch_id, staff_id, customer_id, waiting_id), decoded(BookingChoices))


# Who of the CTE `people` performs each service, and at what price.
PERFORMING = f"""
        SELECT ss.item_id, json_agg(json_build_object(
            'staff_id', ss.staff_id, 'price', {CHARGED.format("ss.price")}, 'duration', ss.duration)
            ORDER BY s.sort_order, s.name, s.id) AS who
        FROM staff_services ss JOIN people s ON s.id = ss.staff_id
        JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id {TAX_OF.format("i", "taxes")}
        WHERE ss.tenant_id = $1 GROUP BY ss.item_id"""
_CHOICES = f"""
    WITH taxes AS MATERIALIZED {TAXES}, branch AS MATERIALIZED (
        SELECT b.id FROM branches b WHERE b.tenant_id = $1 AND b.status
        ORDER BY b.id = $2 DESC NULLS LAST,
            b.id = (SELECT s.branch_id FROM staff s WHERE s.tenant_id = $1 AND s.id = $3) DESC NULLS LAST,
            b.id = (SELECT i.branch_id FROM waiting_list w JOIN items i ON i.tenant_id = $1 AND i.id = w.item_id
                WHERE w.tenant_id = $1 AND w.id = $5) DESC NULLS LAST,
            (SELECT count(*) FROM staff s WHERE s.tenant_id = $1 AND s.branch_id = b.id AND s.active) DESC, b.name, b.id
        LIMIT 1
    ), people AS MATERIALIZED (
        SELECT s.id, s.name, s.sort_order FROM staff s
        WHERE s.tenant_id = $1 AND s.branch_id = (SELECT id FROM branch) AND s.active
    ), performing AS MATERIALIZED ({PERFORMING})
    SELECT json_build_object(
        'country', context.country, 'branch_id', (SELECT id FROM branch),
        'branches', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name)
                ORDER BY b.name, b.id), '[]') FROM branches b WHERE b.tenant_id = $1 AND b.status),
        'services', (SELECT coalesce(json_agg(json_build_object(
                'id', i.id, 'name', i.name, 'category', c.name, 'duration', i.duration,
                'price', {CHARGED.format(f"coalesce({OFFER.format('i')}, i.price)")}, 'base_sellable', {BASE_SELLABLE},
                'options', (SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.name,
                        'duration', v.duration,
                        'price', {CHARGED.format(f"coalesce({OFFER_OF_OPTION.format('i', 'v')}, v.price)")})
                        ORDER BY v.sort_order, v.id), '[]')
                    FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active),
                'performers', p.who) ORDER BY c.sort_order NULLS LAST, c.id, i.sort_order, i.id), '[]')
            FROM items i JOIN performing p ON p.item_id = i.id
            LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id {TAX_OF.format("i", "taxes")}
            WHERE i.tenant_id = $1 AND i.branch_id = (SELECT id FROM branch) AND i.type = 'service' AND i.status
                AND NOT {ITEM_WITHOUT_OPTION}),
        'staff', (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name)
            ORDER BY s.sort_order, s.name, s.id), '[]') FROM people s),
        'methods', (SELECT coalesce(json_agg(json_build_object('id', m.id, 'name', m.name)
                ORDER BY m.sort_order, m.created_at, m.id), '[]')
            FROM payment_methods m LEFT JOIN installs n ON n.tenant_id = $1 AND n.id = m.install_id
            WHERE m.tenant_id = $1 AND m.active AND n.disconnected_at IS NULL),
        'notices', (SELECT json_agg(n) FROM (VALUES (notice_json($1, 'confirmation', 'user', '', NULL)),
                (notice_json($1, 'confirmation', 'user', NULL, ''))) v (n) WHERE n IS NOT NULL),
        'customer', (SELECT json_build_object('id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name),
                'notice', notice_json($1, 'confirmation', 'user', c.email, c.phone),
                'phone', c.phone, 'blocked', c.blocked, 'is_erased', c.erased_at IS NOT NULL,
                'allergies', c.allergies, 'notes', {CARE_NOTES}, 'favorite', {FAVORITE}, 'usual', {USUAL},
                'last_visit', (SELECT format_utc(max(coalesce(starts_at, created_at))) FROM orders
                    WHERE tenant_id = $1 AND customer_id = c.id AND {VISITED}))
            FROM customers c WHERE c.tenant_id = $1 AND c.id = $4))::text AS document"""
