"""The published form of a token, the one time it is told."""

from typing import Literal

import msgspec


class TokenResponse(msgspec.Struct):
    token_type: Literal["Bearer"]
    expires_in: int
    access_token: str
    scope: str
