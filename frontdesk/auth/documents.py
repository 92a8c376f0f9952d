"""The published form of a new token. No other response contains it."""

from typing import Literal

import msgspec


class TokenResponse(msgspec.Struct):
    token_type: Literal["Bearer"]
    expires_in: int
    access_token: str
    scope: str
