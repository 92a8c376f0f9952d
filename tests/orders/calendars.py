"""Businesses of random hours, people and services: invented, written into the database, and reckoned with plainly."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

from hypothesis import strategies as st

from frontdesk.orders.types import Actor, LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from tests.availability.reference import Answers, Case, Range
from tests.availability.test_slots_agree_with_reference import cases, ranges, week

DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")  # as the database counts them
SYSTEM = Actor("system", None)


@dataclass
class LineSpec:
    """One line of an order: which service, how often, and by whom, or by anybody."""

    service: int
    quantity: int
    provider: int | None


@dataclass
class Plan:
    """Zone, grid, moment, window and closed days are the same in every provider's case."""

    providers: list[Case]
    services: list[int]  # minutes
    performs: dict[tuple[int, int], int | None]  # (service, provider) to own minutes
    from_branch: bool  # the first provider has no hours but the branch's
    lines: list[LineSpec]

    @property
    def case(self) -> Case:
        return self.providers[0]

    def candidates(self, line: LineSpec) -> dict[int, int]:
        """Who may perform a line, and the minutes that each of them needs."""
        return {
            provider: line.quantity * (own or self.services[service])
            for (service, provider), own in self.performs.items()
            if service == line.service and line.provider in (None, provider)
        }


@dataclass
class StoredPlan:
    """A plan as it stands in the database."""

    tenant: TenantContext
    branch_id: UUID
    services: list[UUID]
    staff: list[UUID]

    def order(self, plan: Plan, start: datetime, by: UUID | None = None) -> OrderRequest:
        """`by` names who performs the first line."""
        lines = [
            OrderLineRequest(
                self.services[line.service],
                LineType.SERVICE,
                line.quantity,
                None if line.provider is None else self.staff[line.provider],
            )
            for line in plan.lines
        ]
        if by is not None:
            lines[0] = lines[0]._replace(staff_id=by)
        return OrderRequest(self.branch_id, None, start, lines, None, [], Source.API, SYSTEM)


@st.composite
def plans(draw: st.DrawFn, *, alone: bool) -> Plan:
    """One provider and one line that names them, or several of both."""
    first = draw(cases())
    providers = [first, *(draw(colleagues(first)) for _ in range(0 if alone else draw(st.integers(1, 2))))]
    minutes = st.one_of(st.sampled_from([15, 30, 45, 60]), st.integers(1, 200))
    services = [min(first.length, 1440)] if alone else draw(st.lists(minutes, min_size=1, max_size=2))
    pairs = [(service, provider) for service in range(len(services)) for provider in range(len(providers))]
    own = st.one_of(st.none(), minutes)
    performs = {pair: draw(own) for pair in pairs if alone or draw(st.integers(0, 4))}
    lines = [LineSpec(0, draw(st.sampled_from([1, 1, 1, 2, 3])), 0)] if alone else draw(_lines(services, providers))
    plan = Plan(providers, services, performs, draw(st.booleans()), lines)
    longest = sum(max(plan.candidates(line).values(), default=1) for line in lines)
    plan.providers = [replace(case, length=longest, bookings=apart(case.bookings)) for case in providers]
    return plan


@st.composite
def colleagues(draw: st.DrawFn, first: Case) -> Case:
    """Somebody else of the same branch."""
    return replace(
        first,
        intervals=draw(week()),
        all_time=draw(st.integers(0, 5)) == 0,
        active=True,
        time_off=draw(st.lists(ranges(first.first), max_size=1)),
        bookings=draw(st.lists(ranges(first.first), max_size=4)),
    )


@st.composite
def _lines(draw: st.DrawFn, services: list[int], providers: list[Case]) -> list[LineSpec]:
    someone = st.one_of(st.none(), st.none(), st.integers(0, len(providers) - 1))
    one = st.builds(LineSpec, st.integers(0, len(services) - 1), st.sampled_from([1, 1, 2]), someone)
    return draw(st.lists(one, min_size=1, max_size=3))


def apart(bookings: list[Range]) -> list[Range]:
    """Whole minutes, and none that overlaps another, as the database wants them."""
    kept: list[Range] = []
    for start, end in sorted(bookings):
        begin = start.replace(second=0)
        if not kept or kept[-1][1] <= begin:
            kept.append((begin, max(end.replace(second=0), begin + timedelta(minutes=1))))
    return kept


class SlotModel:
    """What the plan allows, by walking every minute."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.answers = [Answers(case) for case in plan.providers]

    def refusal(self, minute: int, provider: int, length: int) -> str | None:
        answers = self.answers[provider]
        answers.case.length = length
        return answers.refusal(minute)

    def goes(self, minute: int, place: int = 0) -> bool:
        """May the lines from `place` on follow one another from this minute?"""
        if place == len(self._plan.lines):
            return True
        return any(
            self.refusal(minute, provider, length) in ((None, "off_grid") if place else (None,))
            and self.goes(minute + length, place + 1)
            for provider, length in self._plan.candidates(self._plan.lines[place]).items()
        )

    def ticks(self, minutes: list[int]) -> list[int]:
        """Those at which anybody's grid has a mark and that a local time names; nothing else can be offered."""
        marked = set().union(*(answers.ticks for answers in self.answers))
        return [minute for minute in minutes if minute in marked and self.answers[0].is_named(minute)]

    def interesting(self) -> Iterator[int]:
        """Minutes at which something begins or ends for somebody, and those beside them."""
        case = self._plan.case
        midnight = datetime(case.first.year, case.first.month, case.first.day, tzinfo=UTC)
        for answers in self.answers:
            for begin, end in [*answers.case.bookings, *answers.case.time_off, (case.now, midnight)]:
                yield from (int(edge.timestamp()) // 60 + near for edge in (begin, end) for near in (-1, 0, 1))
            edges = {minute for minute in answers.opened if minute - 1 not in answers.opened}
            yield from (minute + near for minute in edges for near in (-1, 0, 1, case.grid, case.grid + 1))


async def store_plan(conn: Connection, tenant_id: UUID, plan: Plan) -> StoredPlan:
    """Inside the caller's transaction, which is rolled back: zone and grid belong to the whole business."""
    case = plan.case
    await conn.execute(
        "UPDATE tenants SET timezone = $2, grid_minutes = $3 WHERE id = $1", tenant_id, case.zone, case.grid
    )
    branch_id = uuid4()
    await conn.execute(
        "INSERT INTO branches (tenant_id, id, name, slug) VALUES ($1, $2, 'A', $3)",
        tenant_id,
        branch_id,
        str(branch_id),
    )
    await conn.execute(
        "INSERT INTO closed_days (tenant_id, branch_id, day) SELECT $1, $2, unnest($3::date[])",
        tenant_id,
        branch_id,
        list(case.closed),
    )
    services = [await _write_service(conn, tenant_id, branch_id, duration) for duration in plan.services]
    # In the order of their ids, so that of two who are equally free the same one is chosen whenever it is told again.
    staff = sorted(uuid4() for _ in plan.providers)
    for id_, case in zip(staff, plan.providers, strict=True):
        await _write_provider(conn, tenant_id, branch_id, services[0], id_, case)
    for number, case in enumerate(plan.providers):
        owner = ("branch_id", branch_id) if number == 0 and plan.from_branch else ("staff_id", staff[number])
        await write_hours(conn, tenant_id, *owner, case)
    for (service, provider), own in plan.performs.items():
        await conn.execute(
            "INSERT INTO staff_services (tenant_id, item_id, staff_id, duration) VALUES ($1, $2, $3, $4)",
            tenant_id,
            services[service],
            staff[provider],
            own,
        )
    await _write_strangers(conn, tenant_id, branch_id, services[0])
    # An edition of its own, so that what is written stays in mind: of two orders the second is placed without a look.
    edition = uuid4().int >> 65
    return StoredPlan(
        TenantContext(tenant_id, case.zone, "SAR", 2, ("ar",), case.grid, edition), branch_id, services, staff
    )


async def _write_service(conn: Connection, tenant_id: UUID, branch_id: UUID, duration: int) -> UUID:
    id_ = uuid4()
    await conn.execute(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration)
        VALUES ($1, $2, $3, 'service', '{"ar": "x"}', 'x', $4, $5, $6)
        """,
        tenant_id,
        id_,
        branch_id,
        str(id_),
        Decimal(10),
        duration,
    )
    return id_


async def _write_provider(
    conn: Connection, tenant_id: UUID, branch_id: UUID, service_id: UUID, id_: UUID, case: Case
) -> None:
    """With the time they are away, and an old order that holds all their bookings."""
    order_id = uuid4()
    await conn.execute(
        "INSERT INTO staff (tenant_id, id, branch_id, name, name_search) VALUES ($1, $2, $3, 'x', 'x')",
        tenant_id,
        id_,
        branch_id,
    )
    for begin, end in case.time_off:
        await conn.execute(
            "INSERT INTO time_off (tenant_id, id, staff_id, during) VALUES ($1, $2, $3, tstzrange($4, $5))",
            tenant_id,
            uuid4(),
            id_,
            begin,
            end,
        )
    if case.bookings:
        await conn.execute(
            """
            WITH o AS (
                INSERT INTO orders (tenant_id, id, order_number, branch_id, status, source, currency, sub_total,
                    discount_amount, total, created_by_type)
                VALUES ($1, $2, -(SELECT count(*) FROM orders WHERE tenant_id = $1), $3, 'confirmed', 'api', 'SAR', 0,
                    0, 0, 'system')
            ), b AS (
                SELECT gen_random_uuid() AS id, * FROM unnest($6::timestamptz[], $7::timestamptz[])
                    WITH ORDINALITY AS b (begins, ends, place)
            ), l AS (
                INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, staff_id, name, price,
                    quantity, discount_amount, total)
                SELECT $1, id, $2, place, 'service', $5, $4, 'x', 0, 1, 0, 0 FROM b
            )
            INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during)
            SELECT $1, id, $2, id, $4, $5, id::text, tstzrange(begins, ends) FROM b
            """,
            tenant_id,
            order_id,
            branch_id,
            id_,
            service_id,
            [begin for begin, _ in case.bookings],
            [end for _, end in case.bookings],
        )


async def _write_strangers(conn: Connection, tenant_id: UUID, branch_id: UUID, service_id: UUID) -> None:
    """Two who know the first service and are always open, but work in another branch or no longer: never to be met."""
    other = uuid4()
    await conn.execute(
        "INSERT INTO branches (tenant_id, id, name, slug) VALUES ($1, $2, 'B', $3)", tenant_id, other, str(other)
    )
    await conn.execute(
        """
        WITH s AS (
            INSERT INTO staff (tenant_id, id, branch_id, name, name_search, active)
            VALUES ($1, gen_random_uuid(), $2, 'x', 'x', false), ($1, gen_random_uuid(), $3, 'x', 'x', true)
            RETURNING id
        ), h AS (
            INSERT INTO working_hours (tenant_id, id, staff_id, all_time) SELECT $1, gen_random_uuid(), id, true FROM s
        )
        INSERT INTO staff_services (tenant_id, staff_id, item_id) SELECT $1, id, $4 FROM s
        """,
        tenant_id,
        branch_id,
        other,
        service_id,
    )


async def write_hours(conn: Connection, tenant_id: UUID, owner: str, owner_id: UUID, case: Case) -> None:
    id_ = uuid4()
    await conn.execute(
        f"INSERT INTO working_hours (tenant_id, id, {owner}, all_time, active) VALUES ($1, $2, $3, $4, $5)",
        tenant_id,
        id_,
        owner_id,
        case.all_time,
        case.active,
    )
    await conn.execute(
        """
        INSERT INTO working_intervals (tenant_id, id, working_hour_id, day, opens, closes, active)
        SELECT $1, gen_random_uuid(), $2, * FROM unnest($3::smallint[], $4::smallint[], $5::smallint[], $6::boolean[])
        """,
        tenant_id,
        id_,
        [DAYS.index(day) for day, _, _, _ in case.intervals],
        [opens for _, opens, _, _ in case.intervals],
        [closes for _, _, closes, _ in case.intervals],
        [active for _, _, _, active in case.intervals],
    )
