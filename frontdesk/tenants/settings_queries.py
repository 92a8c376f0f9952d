"""The settings of a business, as its settings page shows and changes them."""

from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Query, document, found, json_bytes
from frontdesk.postgres.records import from_row

_TEXTS = msgspec.json.Decoder(dict[str, str])  # by language


class BusinessSettings(msgspec.Struct, frozen=True):
    """The values that a form of the settings changes."""

    name: str
    names: dict[str, str]  # that customers read instead, by language
    slug: str  # in the address of the public page
    country: str | None
    timezone: str
    currency: str
    languages: list[str]
    grid_minutes: int
    notice_hours: int
    horizon_days: int
    cancellation_hours: int
    deposit_percent: int
    prices_include_tax: bool
    tax_registration_number: str | None
    invoice_note: dict[str, str]  # by language
    accent: str | None
    logo_id: UUID | None


class OtherSettings(msgspec.Struct, frozen=True):
    """Those that no form of the settings changes together with others."""

    charges_no_tax: bool
    cancel_reasons: list[dict[str, str]] | None  # by language; None: those of the product
    commission_basis: str


class SettingsToChange(NamedTuple):
    settings: BusinessSettings
    others: OtherSettings
    version: int
    has_sales: bool
    has_upcoming_orders: bool  # orders whose time is still to come
    decimals: int  # that the prices of the catalog have
    earlier_slugs: list[str]  # lead to the business too
    knows_zone: bool  # whether the rules of the new time zone are stored
    newest_zones: str | None  # the newest release of tzdata of which rules are stored


_PRICES = """
    SELECT price FROM items WHERE tenant_id = $1
    UNION ALL SELECT offer_price FROM items WHERE tenant_id = $1
    UNION ALL SELECT cost FROM items WHERE tenant_id = $1
    UNION ALL SELECT price FROM item_options WHERE tenant_id = $1
    UNION ALL SELECT offer_price FROM item_options WHERE tenant_id = $1
    UNION ALL SELECT price FROM packages WHERE tenant_id = $1
    UNION ALL SELECT offer_price FROM packages WHERE tenant_id = $1
    UNION ALL SELECT price FROM staff_services WHERE tenant_id = $1
"""


def tenant_country() -> Query[str | None]:
    return Query("SELECT country FROM tenants WHERE id = $1", (), lambda row: None if row is None else row["country"])


def published_settings() -> Query[bytes]:
    return Query(f"SELECT {json_bytes('settings_document($1)')} AS document", (), document("business"))


def settings_to_change(new_zone: str | None = None) -> Query[SettingsToChange]:
    return Query(
        f"""
        SELECT n.name, n.names, (SELECT s.slug FROM tenant_slugs s WHERE s.tenant_id = $1 AND s.is_current) AS slug,
               ARRAY(SELECT s.slug FROM tenant_slugs s WHERE s.tenant_id = $1 AND NOT s.is_current ORDER BY s.slug)
                   AS earlier_slugs, n.country, n.timezone, n.currency, n.languages, n.grid_minutes, n.notice_hours,
               n.horizon_days, n.cancellation_hours, n.deposit_percent, n.prices_include_tax,
               n.tax_registration_number, n.invoice_note, n.accent, n.logo_id, n.version,
               n.charges_no_tax, n.cancel_reasons, n.commission_basis,
               EXISTS (SELECT FROM orders o WHERE o.tenant_id = $1) AS has_sales,
               EXISTS (SELECT FROM orders o WHERE o.tenant_id = $1 AND o.starts_at > now()
                   AND o.status NOT IN ('draft', 'canceled', 'completed')) AS has_upcoming_orders,
               coalesce((SELECT max(min_scale(p.price)) FROM ({_PRICES}) p), 0) AS decimals,
               EXISTS (SELECT 1 FROM time_zones z WHERE z.name = coalesce($2, n.timezone)) AS knows_zone,
               (SELECT max(z.release) FROM time_zones z) AS newest_zones
        FROM tenants n WHERE n.id = $1
        """,
        (new_zone,),
        found("business", _settings),
    )


def _settings(row: Record) -> SettingsToChange:
    settings = from_row(
        BusinessSettings,
        row,
        slug=row["slug"] or "",
        names=_TEXTS.decode(row["names"]),
        invoice_note=_TEXTS.decode(row["invoice_note"]),
    )
    reasons = msgspec.json.decode(row["cancel_reasons"] or "null", type=list[dict[str, str]] | None)
    others = OtherSettings(row["charges_no_tax"], reasons, row["commission_basis"])
    return SettingsToChange(
        settings,
        others,
        row["version"],
        row["has_sales"],
        row["has_upcoming_orders"],
        row["decimals"],
        row["earlier_slugs"],
        row["knows_zone"],
        row["newest_zones"],
    )
