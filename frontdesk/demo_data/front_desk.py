"""What a reception leaves behind beside orders: tips, a booking that repeats, who waits for a time, and photos."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.demo_data.appointments import schedule
from frontdesk.demo_data.content import CURRENCY
from frontdesk.demo_data.generator import GeneratorContext
from frontdesk.demo_data.people import CASHIER_CODE, CASHIER_NAME
from frontdesk.demo_data.photos import photo_tables
from frontdesk.demo_data.sales import Change, DemoLine, Sale, id_of
from frontdesk.demo_data.store import Row, Store, Table
from frontdesk.values.ids import uuid7
from frontdesk.values.time import local_day_bounds, to_local

_TIPS = (Decimal("10.00"), Decimal("20.00"), Decimal("15.00"))
_EVERY = 5  # this many completed appointments have one tip
_WEEK = timedelta(days=7)


def add_series(generator: GeneratorContext) -> UUID:
    """The same service, provider and time in two weeks that come."""
    series_id, performer = uuid7(), generator.store.performers[0]
    line = DemoLine(variant=performer.services[0], staff_id=performer.id)
    created = generator.ago(timedelta(days=1), timedelta(days=2))
    customer_id = generator.customer(created)
    day, start = _time_of_two_weeks(generator, line)
    for n, on in enumerate((day, day + _WEEK)):
        at = created + timedelta(milliseconds=n)
        own = DemoLine(variant=line.variant, staff_id=performer.id)
        schedule(generator, on, start, [own])
        generator.diary.take(performer, on, start, own.minutes or 0)
        sale = Sale(
            created_at=at,
            source="dashboard",
            customer_id=customer_id,
            lines=[own],
            changes=[Change(at, "confirmed")],
            series_id=series_id,
        )
        generator.sales.append(sale)
    return series_id


def _time_of_two_weeks(generator: GeneratorContext, line: DemoLine) -> tuple[date, int]:
    performer, length = generator.store.performers[0], line.minutes or 0
    for offset in range(1, 8):
        day = generator.today + timedelta(days=offset)
        if not (generator.has_even_hours(day) and generator.has_even_hours(day + _WEEK)):
            continue
        later = set(generator.diary.starts(performer, day + _WEEK, length))
        both = [start for start in generator.diary.starts(performer, day, length) if start in later]
        if both:
            return day, both[len(both) // 2]
    raise LookupError("the provider works on no day of a week")


def front_desk_tables(now: datetime, zone: ZoneInfo, store: Store, sales: list[Sale], owner_id: UUID) -> list[Table]:
    """The drawer stays closed: opening it is the first thing to try."""
    today = to_local(now, zone).date()
    start, _ = local_day_bounds(today, zone)
    return [
        _tips(store, [sale for sale in sales if sale.touched_at < start], owner_id),
        _waiting(now, today, store, owner_id),
        *photo_tables(now, today, store, owner_id),
    ]


def _waiting(now: datetime, today: date, store: Store, owner_id: UUID) -> Table:
    """One for a provider, one for anybody in the evening."""
    first, second = store.shoppers[:2]
    chosen, other = store.performers[0], store.performers[-1]
    rows = [
        (first.id, chosen.services[0].id, chosen.id, today, today + _WEEK, "any", "Call after 16:00"),
        (second.id, other.services[0].id, None, today + timedelta(days=1), today + 2 * _WEEK, "evening", None),
    ]
    columns = "id customer_id item_id staff_id first_day last_day part_of_day note created_by created_at"
    added = [now - timedelta(hours=hours) for hours in (30, 5)]
    entries = [(id_of(at), *row, owner_id, at) for at, row in zip(added, rows, strict=True)]
    return Table("waiting_list", columns, entries)


def _tips(store: Store, sales: list[Sale], owner_id: UUID) -> Table:
    """For the provider, by the method of the last payment."""
    rows: list[Row] = []
    done = [sale for sale in sales if sale.status == "completed" and sale.starts_at and not sale.remaining]
    for index, sale in enumerate(done[::_EVERY]):
        last = max(sale.payments, key=lambda payment: payment.at)
        staff_id = next(line.staff_id for line in sale.lines if line.staff_id)
        what = (id_of(last.at), sale.id, staff_id, store.methods[last.method], _TIPS[index % len(_TIPS)], CURRENCY)
        rows.append((*what, CASHIER_NAME, CASHIER_CODE, "user", owner_id, last.at))
    columns = (
        "id order_id staff_id payment_method_id amount currency cashier cashier_code created_by_type created_by_id"
        " created_at"
    )
    return Table("tips", columns, rows)
