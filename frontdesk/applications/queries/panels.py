"""Where installed applications show panels."""

from enum import StrEnum
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.applications.queries.applications import SEEN
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.postgres.query import Query, always


class Place(StrEnum):
    """The page on which a panel is shown."""

    ORDER = "order"
    CUSTOMER = "customer"

    @property
    def link(self) -> str:
        """Its address among the links of an application."""
        return f"{self.value}_panel"

    @property
    def scope(self) -> Scope:
        """Without it the application learns of no such record."""
        return Scope.ORDERS_READ if self is Place.ORDER else Scope.CUSTOMERS_READ


class PanelSource(msgspec.Struct, frozen=True):
    install_id: UUID
    name: str
    icon_id: UUID | None
    address: str
    secret: str  # encrypted, in base64


def list_panels(place: Place) -> Query[list[PanelSource]]:
    """Of the applications that have a page for this place, sign, and may read such records. Oldest first."""
    return Query(
        f"""
        SELECT coalesce(json_agg(json_build_object('install_id', i.id, 'name', l.listing ->> 'name', 'icon_id', (
            SELECT p ->> 'id' FROM jsonb_array_elements(l.listing -> 'pictures') AS p
            WHERE p ->> 'role' = 'icon' LIMIT 1), 'address', l.listing -> 'links' ->> $2,
            'secret', encode(a.webhook_secret, 'base64')) ORDER BY i.installed_at, i.id), '[]')::text AS document
        FROM installs i
        JOIN api_clients c ON c.tenant_id = $1 AND c.install_id = i.id
        JOIN applications a ON a.id = i.application_id
        {SEEN}
        WHERE i.tenant_id = $1 AND i.disconnected_at IS NULL AND c.scopes && $3::text[]
            AND l.listing -> 'links' ->> $2 <> '' AND a.webhook_secret IS NOT NULL
        """,
        (place.link, [place.scope.value, WILDCARD]),
        always(_sources),
    )


def _sources(row: Record) -> list[PanelSource]:
    return msgspec.json.decode(row["document"], type=list[PanelSource])
