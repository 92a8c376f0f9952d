"""What customers choose from when they book by themselves: branches, services with their prices, and providers."""

from datetime import date
from decimal import Decimal
from itertools import groupby
from uuid import UUID

import msgspec

from frontdesk.attention.rules import ITEM_WITHOUT_OPTION
from frontdesk.catalog.options import duration_range, price_range
from frontdesk.orders.pricing import OptionPrice, unit_price
from frontdesk.postgres.query import Query, decoded
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX_OF, TAXES
from frontdesk.ui.components.booking_choice_queries import PERFORMING, Performing


class MenuOption(msgspec.Struct, frozen=True):
    """Prices are those that are charged, as all prices here."""

    id: UUID
    name: dict[str, str]
    price: Decimal
    offer_price: Decimal | None
    duration: int | None

    @property
    def charged(self) -> Decimal:
        return unit_price(
            override=None,
            provider_price=None,
            offer_price=None,
            price=self.price,
            option=OptionPrice(self.price, self.offer_price),
        )


class MenuService(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    description: dict[str, str] | None
    picture_id: UUID | None
    category: dict[str, str] | None
    duration: int
    price: Decimal
    offer_price: Decimal | None  # of today
    offer_until: date | None
    base_sellable: bool
    options: list[MenuOption]
    performers: list[Performing]

    def charged_by(self, performer: Performing) -> Decimal:
        """Without an option."""
        return unit_price(override=None, provider_price=performer.price, offer_price=self.offer_price, price=self.price)

    @property
    def prices(self) -> tuple[Decimal, Decimal]:
        """The lowest and the highest."""
        return price_range(
            [option.charged for option in self.options], self.prices_without, base_sellable=self.base_sellable
        )

    @property
    def prices_without(self) -> list[Decimal]:
        """Of each provider, without an option."""
        return [self.charged_by(performer) for performer in self.performers]

    @property
    def needs_option(self) -> bool:
        return not self.base_sellable

    @property
    def has_offer(self) -> bool:
        offers = [option.offer_price for option in self.options]
        if not self.needs_option:
            offers.append(self.offer_price)
        return any(offer is not None for offer in offers)

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
    def lone_option(self) -> MenuOption | None:
        """The one without which the service is not sold."""
        return self.options[0] if self.needs_option and len(self.options) == 1 else None

    def option(self, option_id: UUID | None) -> MenuOption | None:
        return next((option for option in self.options if option.id == option_id), None)


class MenuBranch(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    address: str | None
    location: str | None
    phone: str | None
    latitude: Decimal | None
    longitude: Decimal | None


class MenuProvider(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    title: dict[str, str]  # by language
    picture_id: UUID | None


class Menu(msgspec.Struct, frozen=True):
    branches: list[MenuBranch]  # in which at least one service has a provider
    branch: MenuBranch | None  # the chosen one, or the only one
    services: list[MenuService]  # of the branch, with at least one provider
    providers: list[MenuProvider]

    @property
    def by_category(self) -> list[tuple[dict[str, str] | None, list[MenuService]]]:
        return [(category, list(listed)) for category, listed in groupby(self.services, lambda s: s.category)]

    def service(self, item_id: UUID) -> MenuService | None:
        return next((service for service in self.services if service.id == item_id), None)

    def provider(self, staff_id: UUID | None) -> MenuProvider | None:
        return next((provider for provider in self.providers if provider.id == staff_id), None)


def find_menu(branch_id: UUID | None, language: str) -> Query[Menu]:
    """The names of branches and providers are those of the language."""
    return Query(_MENU, (branch_id, language), decoded(Menu))


_BRANCH = """json_build_object('id', b.id, 'name', coalesce(b.names ->> $3, b.name), 'address', coalesce(b.address,
    b.location), 'location', b.location, 'phone', b.phone, 'latitude', b.latitude, 'longitude', b.longitude)"""
_MENU = f"""
    WITH taxes AS MATERIALIZED {TAXES}, open_branches AS MATERIALIZED (
        SELECT b.* FROM branches b WHERE b.tenant_id = $1 AND b.status AND EXISTS (
            SELECT FROM items i JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = i.id
            JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active AND s.branch_id = i.branch_id
            WHERE i.tenant_id = $1 AND i.branch_id = b.id AND i.type = 'service' AND i.status)
    ), chosen AS MATERIALIZED (
        SELECT b.* FROM open_branches b WHERE b.id = $2 OR (SELECT count(*) FROM open_branches) = 1
    ), people AS MATERIALIZED (
        SELECT s.id, coalesce(s.names ->> $3, s.name) AS name, s.title, s.picture_id, s.sort_order
        FROM staff s
        WHERE s.tenant_id = $1 AND s.branch_id = (SELECT id FROM chosen) AND s.active
    ), performing AS MATERIALIZED ({PERFORMING})
    SELECT json_build_object(
        'branches', (SELECT coalesce(json_agg({_BRANCH} ORDER BY coalesce(b.names ->> $3, b.name), b.id), '[]')
            FROM open_branches b),
        'branch', (SELECT {_BRANCH} FROM chosen b),
        'services', (SELECT coalesce(json_agg(json_build_object(
                'id', i.id, 'name', i.name, 'description', i.description, 'picture_id', i.picture_id,
                'category', c.name, 'duration', i.duration, 'price', {CHARGED.format("i.price")},
                'offer_price', {CHARGED.format(OFFER.format("i"))}, 'offer_until', i.offer_until,
                'base_sellable', {BASE_SELLABLE},
                'options', (SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.name,
                        'price', {CHARGED.format("v.price")},
                        'offer_price', {CHARGED.format(OFFER_OF_OPTION.format("i", "v"))},
                        'duration', v.duration) ORDER BY v.sort_order, v.id), '[]')
                    FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id AND v.is_active),
                'performers', p.who) ORDER BY c.sort_order NULLS LAST, c.id, i.sort_order, i.id), '[]')
            FROM items i JOIN performing p ON p.item_id = i.id
            LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id {TAX_OF.format("i", "taxes")}
            WHERE i.tenant_id = $1 AND i.branch_id = (SELECT id FROM chosen) AND i.type = 'service' AND i.status
                AND NOT {ITEM_WITHOUT_OPTION}),
        'providers', (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'title', s.title,
            'picture_id', s.picture_id) ORDER BY s.sort_order, s.name, s.id), '[]') FROM people s))::text AS document"""
