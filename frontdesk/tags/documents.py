"""The published form of tags."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Timestamp


class Tag(msgspec.Struct):
    id: UUID
    name: str
    model: Literal["customers"]
    customers_count: int
    created_at: Timestamp
    updated_at: Timestamp


# With `t` the tag.
TAG = """json_build_object(
    'id', t.id, 'name', t.name, 'model', t.model, 'customers_count', (
        SELECT count(*) FROM customer_tags c WHERE c.tenant_id = t.tenant_id AND c.tag_id = t.id),
    'created_at', format_utc(t.created_at), 'updated_at', format_utc(t.updated_at))"""
