"""How far the set-up of a business has come."""

from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor


class SetupState(NamedTuple):
    """The steps that are done."""

    details: bool
    hours: bool
    service: bool
    staff: bool
    payment_methods: bool
    team: bool  # a member has invited somebody; optional
    contact: bool  # a branch has an address or a phone number; optional
    branch_id: UUID | None = None  # of a business with one branch
    idle_staff_id: UUID | None = None  # who performs no service yet

    @property
    def steps(self) -> tuple[bool, ...]:
        """Those that are not optional."""
        return (self.details, self.hours, self.service, self.staff, self.payment_methods)

    @property
    def is_done(self) -> bool:
        return all(self.steps)


async def get_setup(conn: Connection, tenant_id: UUID) -> SetupState:
    row = await conn.fetchrow(
        """
        SELECT n.country IS NOT NULL,
            EXISTS (SELECT FROM working_hours h WHERE h.tenant_id = $1 AND h.branch_id IS NOT NULL AND h.active AND (
                h.all_time OR EXISTS (
                    SELECT FROM working_intervals v WHERE v.tenant_id = $1 AND v.working_hour_id = h.id))),
            EXISTS (SELECT FROM items i WHERE i.tenant_id = $1 AND i.type = 'service' AND i.status),
            EXISTS (SELECT FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
                    WHERE ss.tenant_id = $1 AND s.active),
            EXISTS (SELECT FROM payment_methods m WHERE m.tenant_id = $1 AND m.active),
            (SELECT count(*) > 1 FROM memberships m WHERE m.tenant_id = $1)
                OR EXISTS (SELECT FROM invitations v
                    JOIN memberships m ON m.tenant_id = $1 AND m.user_id = v.invited_by WHERE v.tenant_id = $1),
            EXISTS (SELECT FROM branches b WHERE b.tenant_id = $1 AND (b.address IS NOT NULL OR b.phone IS NOT NULL)),
            (SELECT (array_agg(b.id))[1] FROM branches b WHERE b.tenant_id = $1 HAVING count(*) = 1),
            (SELECT s.id FROM staff s WHERE s.tenant_id = $1 AND s.active AND NOT EXISTS (
                SELECT FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.staff_id = s.id)
             ORDER BY s.created_at, s.id LIMIT 1)
        FROM tenants n WHERE n.id = $1
        """,
        tenant_id,
    )
    if row is None:
        raise AssertionError("a member opened the page, so the business exists")
    return SetupState(*row)


async def hide_setup(conn: Connection, tenant_id: UUID, actor: Actor, *, is_done: bool) -> None:
    """The checklist is not shown any more: all steps are done, or somebody does not want to see it."""
    argument = msgspec.json.encode({"actor": actor._asdict(), "is_done": is_done}, enc_hook=str).decode()
    await conn.execute("SELECT hide_setup($1, $2::jsonb)", tenant_id, argument)
