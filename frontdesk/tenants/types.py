from uuid import UUID

import msgspec


class Business(msgspec.Struct, frozen=True):
    """What every request needs to know of the business it is made for."""

    tenant_id: UUID
    timezone: str
    currency: str
    currency_decimals: int
    languages: list[str]  # the first is the one that receipts are written in
    grid_minutes: int
