"""What an installed application shows beside an order or a customer: a closed frame, opened with a signed context.

The context is signed as webhooks are (Standard Webhooks), so that an application verifies both with the same secret.
It says which record is shown and who is looking, and nothing else of the page.
"""

import base64
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.applications.queries.panels import PanelSource, Place
from frontdesk.applications.redirects import origin_of, with_parameters
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.signing import sign


class PanelContext(msgspec.Struct, frozen=True):
    """What the application receives. The signature contains the time and is valid for some minutes."""

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


def open_panel(source: PanelSource, shown: PanelContext, secret_box: SecretBox, message_id: str, at: int) -> Panel:
    context = msgspec.json.encode(shown)
    secret = secret_box.decrypt(base64.b64decode(source.secret)).decode()
    signature = sign(message_id, at, context, [secret])
    address = with_parameters(source.address, {"context": context.decode(), **_parameters(signature)})
    return Panel(source.install_id, source.name, source.icon_id, address)


def _parameters(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a webhook as parameters of an address."""
    return {name.replace("-", "_"): value for name, value in headers.items()}
