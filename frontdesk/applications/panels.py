"""What an installed application shows beside an order or a customer: a closed frame, opened with a signed context.

The context is signed as webhooks are (Standard Webhooks), so that an application verifies both with the same secret.
It says which record is shown and who is looking, and nothing else of the page.
"""

import base64
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.applications.queries.applications import SEEN
from frontdesk.applications.redirects import origin_of, with_parameters
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.postgres.query import Query, always
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.signing import sign


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


class PanelContext(msgspec.Struct, frozen=True):
    """What the application is told. The signature says when, and is good for some minutes."""

    tenant_id: UUID
    place: Place
    id: UUID  # of the order or the customer
    user_id: UUID
    role: str
    language: str


class Panel(NamedTuple):
    install_id: UUID
    name: str
    icon_id: UUID | None
    address: str  # with the signed context

    @property
    def origin(self) -> str:
        return origin_of(self.address)


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


def open_panel(source: PanelSource, shown: PanelContext, secret_box: SecretBox, message_id: str, at: datetime) -> Panel:
    context = msgspec.json.encode(shown)
    secret = secret_box.decrypt(base64.b64decode(source.secret)).decode()
    signature = sign(message_id, int(at.timestamp()), context, [secret])
    address = with_parameters(source.address, {"context": context.decode(), **_parameters(signature)})
    return Panel(source.install_id, source.name, source.icon_id, address)


def _parameters(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a webhook as parameters of an address."""
    return {name.replace("-", "_"): value for name, value in headers.items()}
