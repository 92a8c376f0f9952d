"""Appointments of the sandbox, past and to come, each where the provider could take it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random

from frontdesk.demo_data.content import DECIMALS
from frontdesk.demo_data.generator import GeneratorContext, discount_of, payment_by
from frontdesk.demo_data.sales import Change, Line, Sale
from frontdesk.demo_data.store import Performer
from frontdesk.values.money import round_half_up

_NOTES = (None, None, None, None, None, "قهوة بدون سكر", "First visit", "تتصل قبل الحضور")
_CANCEL_NOTES = ("اعتذرت العميلة", "Customer is travelling", "لم تحضر")


def add_appointment(teller: GeneratorContext, day: date) -> None:
    rng, now = teller.rng, teller.now
    performers = [rng.choice(teller.store.performers) for _ in range(1 if rng.random() < 0.75 else 2)]
    lines = [_service_line(rng, performer) for performer in performers]
    start = _find_start(teller, day, performers, lines)
    if start is None:
        return
    begins, ends = _schedule(teller, day, start, lines)
    is_canceled = rng.random() < 0.09 and not begins <= now < ends
    if not is_canceled:
        _take(teller, day, start, performers, lines)
    if rng.random() < 0.2:
        lines.append(Line(variant=rng.choice(teller.store.products)))
    source = rng.choices(("online", "dashboard", "pos", "api"), (35, 25, 20, 20))[0]
    created = _created_at(teller, source, begins)
    discount = discount_of(rng, source, lines)
    sale = Sale(
        created_at=created,
        source=source,
        customer_id=teller.customer(created),
        lines=lines,
        discount=discount,
        note=rng.choice(_NOTES),
        changes=_canceled(teller, created, begins) if is_canceled else _attended(teller, created, begins, ends),
    )
    if not is_canceled:
        _pay(teller, sale)
    teller.sales.append(sale)


def _service_line(rng: Random, performer: Performer) -> Line:
    quantity = 2 if rng.random() < 0.04 else 1
    return Line(variant=rng.choice(performer.services), quantity=quantity, staff_id=performer.id)


def _find_start(
    teller: GeneratorContext, day: date, performers: Sequence[Performer], lines: Sequence[Line]
) -> int | None:
    """Lines follow one another; the first must begin on the grid, and all of them do, for lengths are of it too."""

    def works(start: int) -> bool:
        for performer, line in zip(performers, lines, strict=True):
            if not teller.diary.fits(performer, day, start, line.minutes or 0):
                return False
            start += line.minutes or 0
        return True

    starts = teller.diary.starts(performers[0], day, lines[0].minutes or 0)
    free = [start for start in starts if works(start)]
    return teller.rng.choice(free) if free else None


def _take(
    teller: GeneratorContext, day: date, start: int, performers: Sequence[Performer], lines: Sequence[Line]
) -> None:
    for performer, line in zip(performers, lines, strict=True):
        teller.diary.take(performer, day, start, line.minutes or 0)
        start += line.minutes or 0


def _schedule(teller: GeneratorContext, day: date, start: int, lines: Sequence[Line]) -> tuple[datetime, datetime]:
    begins = at = teller.instant(day, start)
    for line in lines:
        line.during = (at, at + timedelta(minutes=line.minutes or 0))
        at = line.during[1]
    return begins, at


def _created_at(teller: GeneratorContext, source: str, begins: datetime) -> datetime:
    """At the till shortly before, elsewhere hours or days; in any case before now, with time left to change it."""
    if source == "pos":
        made = begins - teller.between(timedelta(minutes=5), timedelta(minutes=20))
    else:
        made = begins - teller.between(timedelta(hours=3), timedelta(days=5))
    return made if made < teller.now - timedelta(minutes=2) else teller.ago(timedelta(minutes=20), timedelta(days=4))


def _canceled(teller: GeneratorContext, created: datetime, begins: datetime) -> list[Change]:
    at = created + teller.between(timedelta(seconds=1), min(begins, teller.now) - created)
    return [Change(created, "confirmed"), Change(at, "canceled", teller.rng.choice(_CANCEL_NOTES))]


def _attended(teller: GeneratorContext, created: datetime, begins: datetime, ends: datetime) -> list[Change]:
    changes = [Change(created, "confirmed")]
    if begins <= teller.now:
        changes.append(Change(begins - teller.between(timedelta(), timedelta(minutes=3)), "in-progress"))
    if ends <= teller.now:
        changes.append(Change(ends - teller.between(timedelta(), timedelta(minutes=4)), "completed"))
    return changes


def _pay(teller: GeneratorContext, sale: Sale) -> None:
    rng, total, chance = teller.rng, sale.priced.total, teller.rng.random()
    if sale.source in ("online", "api") and chance < 0.5:
        sale.payments.append(payment_by(rng, sale.created_at, rng.choice(("card", "mizan-pay")), total))
    elif sale.source in ("online", "dashboard") and chance < 0.75:
        deposit = round_half_up(total * Decimal("0.3"), DECIMALS)
        method = rng.choice(("card", "bank_transfer"))
        sale.payments.append(payment_by(rng, sale.created_at, method, deposit))
    if sale.status == "completed" and sale.remaining and rng.random() < 0.96:
        method = rng.choices(("cash", "card", "bank_transfer"), (45, 50, 5))[0]
        sale.payments.append(payment_by(rng, sale.touched_at, method, sale.remaining))
