"""The published form of a new token. No other response contains it."""

from typing import Literal
from uuid import UUID

import msgspec


class TokenResponse(msgspec.Struct, omit_defaults=True):
    """The fields after `scope` are only in the answer to a code."""

    token_type: Literal["Bearer"]
    expires_in: int
    access_token: str
    scope: str
    client_id: str | None = None
    client_secret: str | None = None
    tenant_id: UUID | None = None
    install_id: UUID | None = None
