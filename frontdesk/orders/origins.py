"""Where the amounts of a line come from, as it is stored with the line: the catalog says something else tomorrow."""

from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.orders.pricing import OptionPrice, unit_price
from frontdesk.orders.tax import add_tax
from frontdesk.values.actor import Author


class PriceSource(StrEnum):
    """Which price is charged."""

    CATALOG = "catalog"
    OFFER = "offer"
    OPTION = "option"
    OPTION_OFFER = "option_offer"
    PROVIDER = "provider"
    GIVEN = "given"  # with the order, or by a person


class PackagePart(msgspec.Struct, frozen=True, array_like=True):
    item_id: UUID
    quantity: int  # in one package
    price: Decimal  # of the item alone


class PriceOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """All prices that applied to one unit when the line was priced, without tax that comes on top."""

    catalog: Decimal
    offer: Decimal | None = None
    option: Decimal | None = None
    option_offer: Decimal | None = None
    provider: Decimal | None = None
    tax_on_top: bool = False
    tax_class_id: UUID | None = None  # None: the class of all that have none
    given: bool = False  # another price was given
    parts: tuple[PackagePart, ...] = ()
    by: Author | None = None
    discounted_by: Author | None = None  # the discount of this line

    @property
    def source(self) -> PriceSource:
        return PriceSource.GIVEN if self.given else self.catalog_source

    @property
    def catalog_source(self) -> PriceSource:
        """Of the price that is charged if none is given; the order is that of `unit_price`."""
        if self.option is not None:
            return PriceSource.OPTION if self.option_offer is None else PriceSource.OPTION_OFFER
        if self.provider is not None:
            return PriceSource.PROVIDER
        return PriceSource.CATALOG if self.offer is None else PriceSource.OFFER

    @property
    def net(self) -> Decimal:
        """What is charged if no price is given, without tax that comes on top."""
        return unit_price(
            override=None,
            provider_price=self.provider,
            offer_price=self.offer,
            price=self.catalog,
            option=None if self.option is None else OptionPrice(self.option, self.option_offer),
        )

    def charged(self, rate: Decimal, decimals: int) -> Decimal:
        """As `net`, with the tax."""
        return add_tax(self.net, rate, decimals) if self.tax_on_top else self.net
