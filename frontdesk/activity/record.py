"""Recording a change that no database function makes. Database functions call `record_activity` themselves."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor

_encode = msgspec.json.Encoder(enc_hook=str).encode


async def record_activity(
    conn: Connection,
    tenant_id: UUID,
    actor: Actor,
    action: str,
    subject_id: UUID | None,
    subject: str | None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """In the transaction of the change. `before` is None for what was created, `after` for what was deleted."""
    await conn.execute(
        "SELECT record_activity($1, $2::jsonb, $3, $4, $5, $6::jsonb, $7::jsonb)",
        tenant_id,
        _encode(actor._asdict()).decode(),
        action,
        subject_id,
        subject,
        None if before is None else _encode(before).decode(),
        None if after is None else _encode(after).decode(),
    )
