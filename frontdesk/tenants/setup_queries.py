"""How far the set-up of a business has come, and what was entered."""

from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor

MAX_NAMES = 3  # of providers and payment methods


class FirstHours(msgspec.Struct, frozen=True):
    """The weekly hours of the first branch that has some. Intervals are a day from 0 (Sunday) and two minutes of it."""

    all_time: bool
    intervals: tuple[tuple[int, int, int], ...]


class SetupState(msgspec.Struct, frozen=True):
    """What is there of each step, as far as the checklist shows it."""

    slug: str  # in the address of the booking page
    country: str | None
    hours: FirstHours | None
    services: int
    providers: int  # who perform a service
    provider_names: tuple[str, ...]
    payment_methods: int
    payment_method_names: tuple[dict[str, str], ...]
    members: int
    invitations: int  # that members sent
    address: str | None
    phone: str | None
    branch_id: UUID | None  # of a business with one branch
    idle_staff_id: UUID | None  # who performs no service yet

    @property
    def steps(self) -> tuple[bool, ...]:
        """Whether each step is done that is not optional."""
        return (
            self.country is not None,
            self.hours is not None,
            self.services > 0,
            self.providers > 0,
            self.payment_methods > 0,
        )

    @property
    def is_done(self) -> bool:
        return all(self.steps)

    @property
    def has_contact(self) -> bool:
        return bool(self.address or self.phone)

    @property
    def has_team(self) -> bool:
        return self.members > 1 or self.invitations > 0


async def get_setup(conn: Connection, tenant_id: UUID) -> SetupState:
    found = await conn.fetchval(_SETUP, tenant_id, MAX_NAMES)
    if found is None:
        raise AssertionError("a member opened the page, so the business exists")
    return msgspec.json.decode(found, type=SetupState, strict=False)


_SETUP = """
    WITH performing AS (
        SELECT s.name, s.sort_order, s.id FROM staff s WHERE s.tenant_id = $1 AND s.active AND EXISTS (
            SELECT FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.staff_id = s.id)),
    accepted AS (SELECT m.name, m.sort_order, m.id FROM payment_methods m WHERE m.tenant_id = $1 AND m.active),
    located AS (SELECT b.address, b.phone FROM branches b WHERE b.tenant_id = $1
        AND (b.address IS NOT NULL OR b.phone IS NOT NULL) ORDER BY b.name, b.id LIMIT 1)
    SELECT json_build_object(
        'slug', (SELECT s.slug FROM tenant_slugs s WHERE s.tenant_id = $1 AND s.is_current),
        'country', n.country,
        'hours', (SELECT json_build_object('all_time', h.all_time, 'intervals', h.intervals) FROM (
            SELECT w.all_time, b.name, b.id, (
                SELECT coalesce(json_agg(json_build_array(v.day, v.opens, v.closes)), '[]')
                FROM working_intervals v WHERE v.tenant_id = $1 AND v.working_hour_id = w.id AND v.active) AS intervals
            FROM working_hours w JOIN branches b ON b.tenant_id = $1 AND b.id = w.branch_id
            WHERE w.tenant_id = $1 AND w.active) h
            WHERE h.all_time OR json_array_length(h.intervals) > 0 ORDER BY h.name, h.id LIMIT 1),
        'services', (SELECT count(*) FROM items i WHERE i.tenant_id = $1 AND i.type = 'service' AND i.status),
        'providers', (SELECT count(*) FROM performing),
        'provider_names', (SELECT coalesce(json_agg(p.name), '[]')
            FROM (SELECT name FROM performing ORDER BY sort_order, id LIMIT $2) p),
        'payment_methods', (SELECT count(*) FROM accepted),
        'payment_method_names', (SELECT coalesce(json_agg(a.name), '[]')
            FROM (SELECT name FROM accepted ORDER BY sort_order, id LIMIT $2) a),
        'members', (SELECT count(*) FROM memberships m WHERE m.tenant_id = $1),
        'invitations', (SELECT count(*) FROM invitations v
            JOIN memberships m ON m.tenant_id = $1 AND m.user_id = v.invited_by WHERE v.tenant_id = $1),
        'address', (SELECT address FROM located),
        'phone', (SELECT phone FROM located),
        'branch_id', (SELECT (array_agg(b.id))[1] FROM branches b WHERE b.tenant_id = $1 HAVING count(*) = 1),
        'idle_staff_id', (SELECT s.id FROM staff s WHERE s.tenant_id = $1 AND s.active AND NOT EXISTS (
            SELECT FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.staff_id = s.id)
            ORDER BY s.created_at, s.id LIMIT 1))::text
    FROM tenants n WHERE n.id = $1
    """


async def hide_setup(conn: Connection, tenant_id: UUID, actor: Actor, *, is_done: bool) -> None:
    """The checklist is not shown any more: all steps are done, or a member hid it."""
    argument = msgspec.json.encode({"actor": actor._asdict(), "is_done": is_done}, enc_hook=str).decode()
    await conn.execute("SELECT hide_setup($1, $2::jsonb)", tenant_id, argument)
