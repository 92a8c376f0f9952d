"""Past and future appointments of the sandbox, at times when the provider is available."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random

from frontdesk.demo_data.content import DECIMALS
from frontdesk.demo_data.generator import GeneratorContext, discount_of, payment_by
from frontdesk.demo_data.sales import Change, DemoLine, Sale
from frontdesk.demo_data.store import Performer
from frontdesk.values.money import round_half_up

_NOTES = (None, None, None, None, None, "قهوة بدون سكر", "First visit", "تتصل قبل الحضور")
_CANCEL_NOTES = ("اعتذرت العميلة", "Customer is travelling", "لم تحضر")


def add_appointment(generator: GeneratorContext, day: date) -> None:
    rng, now = generator.rng, generator.now
    performers = [rng.choice(generator.store.performers) for _ in range(1 if rng.random() < 0.75 else 2)]
    lines = [_service_line(rng, performer) for performer in performers]
    start = _find_start(generator, day, performers, lines)
    if start is None:
        return
    begins, ends = schedule(generator, day, start, lines)
    is_canceled = rng.random() < 0.09 and not begins <= now < ends
    if not is_canceled:
        _take(generator, day, start, performers, lines)
    if rng.random() < 0.2:
        lines.append(DemoLine(variant=rng.choice(generator.store.products)))
    source = rng.choices(("online", "dashboard", "pos", "api"), (35, 25, 20, 20))[0]
    created = _created_at(generator, source, begins)
    discount = discount_of(rng, source, lines)
    sale = Sale(
        created_at=created,
        source=source,
        customer_id=generator.customer(created),
        lines=lines,
        discount=discount,
        note=rng.choice(_NOTES),
        changes=_canceled(generator, created, begins) if is_canceled else _attended(generator, created, begins, ends),
    )
    if not is_canceled:
        _pay(generator, sale)
    generator.sales.append(sale)


def _service_line(rng: Random, performer: Performer) -> DemoLine:
    quantity = 2 if rng.random() < 0.04 else 1
    return DemoLine(variant=rng.choice(performer.services), quantity=quantity, staff_id=performer.id)


def _find_start(
    generator: GeneratorContext, day: date, performers: Sequence[Performer], lines: Sequence[DemoLine]
) -> int | None:
    """The lines follow one another. All of them begin on the booking grid, because durations are multiples of it."""

    def others_fit(start: int) -> bool:
        for performer, line, before in zip(performers[1:], lines[1:], lines, strict=False):
            start += before.minutes or 0
            if not generator.diary.fits(performer, day, start, line.minutes or 0):
                return False
        return True

    starts = generator.diary.starts(performers[0], day, lines[0].minutes or 0)
    free = [start for start in starts if others_fit(start)]
    return generator.rng.choice(free) if free else None


def _take(
    generator: GeneratorContext, day: date, start: int, performers: Sequence[Performer], lines: Sequence[DemoLine]
) -> None:
    for performer, line in zip(performers, lines, strict=True):
        generator.diary.take(performer, day, start, line.minutes or 0)
        start += line.minutes or 0


def schedule(
    generator: GeneratorContext, day: date, start: int, lines: Sequence[DemoLine]
) -> tuple[datetime, datetime]:
    begins = at = generator.instant(day, start)
    for line in lines:
        line.during = (at, at + timedelta(minutes=line.minutes or 0))
        at = line.during[1]
    return begins, at


def _created_at(generator: GeneratorContext, source: str, begins: datetime) -> datetime:
    """Shortly before the appointment at the till, hours or days before elsewhere; always in the past."""
    if source == "pos":
        made = begins - generator.between(timedelta(minutes=5), timedelta(minutes=20))
    else:
        made = begins - generator.between(timedelta(hours=3), timedelta(days=5))
    return (
        made if made < generator.now - timedelta(minutes=2) else generator.ago(timedelta(minutes=20), timedelta(days=4))
    )


def _canceled(generator: GeneratorContext, created: datetime, begins: datetime) -> list[Change]:
    at = created + generator.between(timedelta(seconds=1), min(begins, generator.now) - created)
    return [Change(created, "confirmed"), Change(at, "canceled", generator.rng.choice(_CANCEL_NOTES))]


def _attended(generator: GeneratorContext, created: datetime, begins: datetime, ends: datetime) -> list[Change]:
    changes = [Change(created, "confirmed")]
    if begins <= generator.now:
        changes.append(Change(begins - generator.between(timedelta(), timedelta(minutes=3)), "in-progress"))
    if ends <= generator.now:
        changes.append(Change(ends - generator.between(timedelta(), timedelta(minutes=4)), "completed"))
    return changes


def _pay(generator: GeneratorContext, sale: Sale) -> None:
    rng, total, chance = generator.rng, sale.priced.total, generator.rng.random()
    if sale.source in ("online", "api") and chance < 0.5:
        sale.payments.append(payment_by(rng, sale.created_at, rng.choice(("card", "mizan-pay")), total))
    elif sale.source in ("online", "dashboard") and chance < 0.75:
        deposit = round_half_up(total * Decimal("0.3"), DECIMALS)
        method = rng.choice(("card", "bank_transfer"))
        sale.payments.append(payment_by(rng, sale.created_at, method, deposit))
    if sale.status == "completed" and sale.remaining and rng.random() < 0.96:
        method = rng.choices(("cash", "card", "bank_transfer"), (45, 50, 5))[0]
        sale.payments.append(payment_by(rng, sale.touched_at, method, sale.remaining))
