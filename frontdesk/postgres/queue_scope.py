"""Whose rows a statement about a queue reads."""

from typing import NamedTuple
from uuid import UUID


class QueueScope(NamedTuple):
    """All tenants, or one, whose id every table of the statement needs where tenants are on different nodes."""

    tenant_id: UUID | None
    parameter: str  # of the tenant

    def tenant_of(self, alias: str) -> str:
        return f"{alias}.tenant_id" if self.tenant_id is None else self.parameter

    def condition(self, alias: str) -> str:
        return "" if self.tenant_id is None else f"{alias}.tenant_id = {self.parameter} AND"

    @property
    def args(self) -> tuple[UUID, ...]:
        return () if self.tenant_id is None else (self.tenant_id,)
