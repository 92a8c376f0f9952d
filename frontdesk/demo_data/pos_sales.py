"""Product sales at the till and online, and special cases that every sandbox contains."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from frontdesk.demo_data.generator import GeneratorContext, discount_of, payment_by
from frontdesk.demo_data.sales import Change, DemoLine, Payment, Refund, Sale
from frontdesk.demo_data.store import Variant
from frontdesk.orders.pricing import Discount, DiscountKind


def add_pos_sale(generator: GeneratorContext, day: date) -> None:
    rng, created = generator.rng, generator.counter_moment(day)
    if created is None:
        return
    source = rng.choices(("pos", "online", "api"), (70, 20, 10))[0]
    goods = rng.sample((*generator.store.products, generator.store.package), rng.randint(1, 3))
    lines = [DemoLine(variant=variant, quantity=rng.choice((1, 1, 1, 2))) for variant in goods]
    is_walk_in = source == "pos" and rng.random() < 0.5
    sale = Sale(
        created_at=created,
        source=source,
        customer_id=None if is_walk_in else generator.customer(created),
        lines=lines,
        discount=discount_of(rng, source, lines),
        changes=_handed_over(generator, source, created),
    )
    method = rng.choice(("cash", "card") if source == "pos" else ("card", "mizan-pay"))
    sale.payments.append(payment_by(rng, created, method, sale.priced.total))
    generator.sales.append(sale)


def _handed_over(generator: GeneratorContext, source: str, created: datetime) -> list[Change]:
    """Immediately at the till; online orders are completed later, as far as that is in the past."""
    if source == "pos":
        return [Change(created, "confirmed"), Change(created + timedelta(seconds=20), "completed")]
    packed = created + generator.between(timedelta(minutes=30), timedelta(hours=4))
    fetched = packed + generator.between(timedelta(hours=1), timedelta(hours=30))
    steps = (Change(created, "confirmed"), Change(packed, "in-progress"), Change(fetched, "completed"))
    return [step for step in steps if step.at <= generator.now]


def add_odd_cases(generator: GeneratorContext) -> None:
    """Cases that every sandbox contains: a draft, an order in progress, and failed payments."""
    rng, hour = generator.rng, timedelta(hours=1)

    def order(source: str, created: datetime, changes: list[Change], *also: Variant) -> Sale:
        goods = (*rng.sample(generator.store.products, 2), *also)
        lines = [DemoLine(variant=variant) for variant in goods]
        customer_id = generator.customer(created)
        sale = Sale(created_at=created, source=source, customer_id=customer_id, lines=lines, changes=changes)
        generator.sales.append(sale)
        return sale

    created = generator.ago(hour * 0.5, hour)
    order("pos", created, [Change(created, "draft")])

    created = generator.ago(hour * 2, hour * 3)
    packing = Change(created + hour, "in-progress")
    under_way = order("online", created, [Change(created, "confirmed"), packing], generator.store.package)
    under_way.payments.append(payment_by(rng, created, "mizan-pay", under_way.priced.total))

    created = generator.ago(hour * 20, hour * 30)
    waiting = order("dashboard", created, [Change(created, "confirmed")])
    waiting.payments.append(payment_by(rng, created, "cash", Decimal("40.00")))
    waiting.payments.append(_unpaid(created + hour, waiting, "bank_transfer", "pending", "بانتظار وصول الحوالة"))

    created = generator.ago(hour * 31, hour * 40)
    retried = order("online", created, [Change(created, "confirmed")])
    retried.payments.append(_unpaid(created, retried, "card", "refused", "Insufficient funds"))
    retried.payments.append(payment_by(rng, created + hour / 20, "card", retried.priced.total))

    created = generator.ago(hour * 90, hour * 99)
    ended = Change(created + hour * 24, "canceled", "لم تصل الحوالة")
    dropped = order("dashboard", created, [Change(created, "confirmed"), ended])
    dropped.payments.append(_unpaid(created + hour, dropped, "bank_transfer", "canceled", None))


def _unpaid(at: datetime, sale: Sale, method: str, status: str, note: str | None) -> Payment:
    return Payment(at=at, method=method, amount=sale.remaining, status=status, note=note)


def add_refunds(generator: GeneratorContext) -> list[Refund]:
    """A refund of a whole line, and of one of three units of a discounted line."""
    bottle, *_, cream = generator.store.products
    faulty = _refundable(
        generator, generator.today - timedelta(days=9), [DemoLine(variant=bottle), DemoLine(variant=cream)], None
    )
    three_creams = [DemoLine(variant=cream, quantity=3)]
    discount = Discount(DiscountKind.PERCENTAGE, Decimal(10), apply_all=True)
    excess = _refundable(generator, generator.today - timedelta(days=6), three_creams, discount)
    return [_refund(generator, faulty, 0, "وصلت العبوة مكسورة"), _refund(generator, excess, 0, "Bought one too many")]


def _refundable(generator: GeneratorContext, day: date, lines: list[DemoLine], discount: Discount | None) -> Sale:
    created = generator.counter_moment(day) or generator.counter_moment(day - timedelta(days=1))
    if created is None:
        raise LookupError(f"the store is closed on {day} and the day before")
    sale = Sale(
        created_at=created,
        source="pos",
        customer_id=generator.customer(created),
        lines=lines,
        discount=discount,
        changes=_handed_over(generator, "pos", created),
    )
    sale.payments.append(payment_by(generator.rng, created, "card", sale.priced.total))
    generator.sales.append(sale)
    return sale


def _refund(generator: GeneratorContext, sale: Sale, position: int, reason: str) -> Refund:
    at = sale.created_at + generator.between(timedelta(hours=20), timedelta(hours=50))
    return Refund(created_at=at, sale=sale, position=position, quantity=1, reason=reason)
