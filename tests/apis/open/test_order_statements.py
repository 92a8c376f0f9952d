"""What orders and availability cost the database: so many statements, however much there is to look at."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from frontdesk.auth import request_log
from tests.apis.open.test_statements import Watched
from tests.support.pagination import Document
from tests.support.pg_proxy import counting_statements
from tests.support.salon import EVERY_DAY, Salon, day, line, method_of, open_salon, start
from tests.support.service import running_service
from tests.support.shop import Shop

_GUARD = 1
_TRANSACTION = 2  # BEGIN and COMMIT
_TELLING = 1  # the events of a change


@pytest.fixture(scope="module")
async def watched(dsn: str, other_shop: Shop) -> AsyncIterator[Watched]:
    with tempfile.TemporaryDirectory(prefix="frontdesk-wire-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_log, "EVERY_SECONDS", 3600.0)  # what it writes beside the requests is not theirs
        async with counting_statements(dsn, Path(folder)) as wire, running_service(wire.dsn) as service:
            shop = await service.new_shop()
            await shop.token()
            yield Watched(service, wire, Shop(service.origin, dsn, shop.sandbox))


@pytest.fixture(scope="module")
async def counted(watched: Watched) -> Salon:
    """Always open, so that nothing runs out."""
    salon = await open_salon(watched.shop)
    await salon.set_hours({on: [("00:00", "00:00")] for on in EVERY_DAY})
    return salon


async def _cost(watched: Watched, method: str, path: str, bodies: list[Document], *, status: int) -> int:
    """Of the last of several requests: a connection looks its types up once in its life."""
    said = travelled = 0
    for body in bodies:
        told, before = await watched._said(), watched.wire.statements
        answer = await watched.shop.request(method, path, json=body)
        assert answer.status_code == status, answer.text
        travelled, said = watched.wire.statements - before, await watched._said() - told
    assert said == travelled
    return travelled


async def test_availability_is_one_statement(watched: Watched, counted: Salon) -> None:
    cut, providers = await counted.add_service(), 0
    for many, days in ((1, 1), (5, 7), (20, 30)):
        for _ in range(many - providers):
            await counted.add_provider(cut)
        providers = many
        body = {"service_id": str(cut), "date": str(day(3)), "visible_days": days, "explain": True}
        assert await watched.cost("POST", "/availability", json=body) == 1
    body["next_availability"] = True
    assert await watched.cost("POST", "/availability", json=body) == 1


async def test_the_search_for_the_next_day_is_part_of_the_same_statement(watched: Watched, counted: Salon) -> None:
    cut = await counted.add_service()
    provider = await counted.add_provider(cut)
    await counted.set_hours({}, staff_id=provider)
    body = {"service_id": str(cut), "date": str(day(3)), "next_availability": True}
    assert await watched.cost("POST", "/availability", json=body) == 1


async def test_an_order_costs_the_same_whatever_it_holds(watched: Watched, counted: Salon) -> None:
    cut, cream = await counted.add_service(duration=15), await counted.add_product(stock=10_000)
    package = await counted.add_package({cream: 2, cut: 1})
    for _ in range(10):
        await counted.add_provider(cut)
    payment = {"amount": 1, "payment_method_type": "cash"}

    def orders(*lines: Document, **more: Any) -> list[Document]:
        return [counted.order(*lines, start=start(day(n), "10:00"), **more) for n in (3, 4, 5)]

    goods = [line(cream, "product"), line(package, "package")]
    facts, calendars, write = _GUARD + 1, 1, 1
    lock = _TRANSACTION + 1  # of the products, in a statement of its own: docs/concurrency.md
    assert await _cost(watched, "POST", "/orders", orders(*goods), status=201) == facts + lock + write
    with_services = facts + calendars + write
    assert await _cost(watched, "POST", "/orders", orders(line(cut)), status=201) == with_services
    assert await _cost(watched, "POST", "/orders", orders(*[line(cut)] * 20), status=201) == with_services
    many = orders(*[line(cut)] * 20, *goods * 10)
    assert await _cost(watched, "POST", "/orders", many, status=201) == with_services + lock
    paid = await _cost(watched, "POST", "/orders", orders(line(cut), *goods, payment=payment), status=201)
    assert paid == with_services + lock


async def test_a_status_costs_the_same_whatever_the_order_holds(watched: Watched, counted: Salon) -> None:
    cut, cream = await counted.add_service(duration=15), await counted.add_product(stock=10_000)
    for _ in range(5):
        await counted.add_provider(cut)
    costs = []
    for many, at in ((1, "10:00"), (15, "12:00")):
        placed = await counted.place(*[line(cut)] * many, *[line(cream, "product")] * many, start=start(day(6), at))
        path = f"/orders/{placed['id']}/status"
        moves: list[Document] = [{"status": status} for status in ("canceled", "confirmed", "canceled", "confirmed")]
        taken = await _cost(watched, "POST", path, moves, status=200)
        freed = await _cost(watched, "POST", path, [{"status": "canceled"}], status=200)
        same = await _cost(watched, "POST", path, [{"status": "canceled"}], status=200)
        costs.append((taken, freed, same))
    assert costs[0] == costs[1]
    lock_and_read = 2
    assert costs[0][2] == _GUARD + _TRANSACTION + lock_and_read + 1
    hold_the_day = 1  # a day is closed before the change or after it
    assert max(costs[0]) <= _GUARD + _TRANSACTION + lock_and_read + hold_the_day + 5 + _TELLING


async def test_a_payment_costs_the_same_however_many_there_were(watched: Watched, counted: Salon) -> None:
    placed = await counted.place(line(await counted.add_product(price="5000"), "product"))
    path = f"/orders/{placed['id']}/payments"
    body = {"amount": 1, "payment_method_id": await method_of(watched.shop)}
    first = await _cost(watched, "POST", path, [body] * 2, status=201)
    last = await _cost(watched, "POST", path, [body] * 20, status=201)
    assert first == last <= _GUARD + _TRANSACTION + 4 + _TELLING


async def test_reads_cost_the_same_whatever_there_is_to_read(watched: Watched, counted: Salon) -> None:
    cut = await counted.add_service(duration=15)
    await counted.add_provider(cut)
    small = await counted.place(line(cut), start=start(day(8), "10:00"))
    large = await counted.place(*[line(cut)] * 30, start=start(day(9), "10:00"))
    for placed in (small, large):
        assert await watched.cost("GET", f"/orders/{placed['id']}") == 1
    paid = await counted.place(
        line(cut), start=start(day(10), "10:00"), payment={"amount": 1, "payment_method_type": "cash"}
    )
    booking = (await counted.read(paid["id"]))["bookings"][0]["id"]
    assert await watched.cost("GET", f"/transactions/{paid['transaction']['id']}") == 1
    pages = ("/orders", "/orders?per_page=100", "/orders?page=3&per_page=7", "/transactions?per_page=100")
    counted_first = (
        f"/orders?from={day(-30)}&to={day(0)}&status=completed",
        f"/transactions?order_id={paid['id']}",
        f"/transactions?booking_id={booking}&status=confirmed&from={day(-1)}",
    )
    assert {path: await watched.cost("GET", path) for path in pages} == dict.fromkeys(pages, 1)
    assert {path: await watched.cost("GET", path) for path in counted_first} == dict.fromkeys(counted_first, 1)


async def test_a_refused_order_stops_where_it_is_refused(watched: Watched, counted: Salon) -> None:
    cut = await counted.add_service()
    await counted.add_provider(cut)
    unknown = counted.order(line(uuid4(), "product"))
    assert await watched.cost("POST", "/orders", status=422, json=unknown) == _GUARD + 1
    off_grid = counted.order(line(cut), start=start(day(3), "10:07"))
    assert await watched.cost("POST", "/orders", status=422, json=off_grid) == _GUARD + 3
    assert await watched.cost("POST", "/orders", status=422, json={}) == _GUARD


async def test_a_key_costs_five_statements_and_a_replay_one(watched: Watched, counted: Salon) -> None:
    body = counted.order(line(await counted.add_product(), "product"))
    plain = await watched.cost("POST", "/orders", status=201, json=body)
    keyed = []
    for key in (str(uuid4()) for _ in range(2)):
        before = watched.wire.statements
        await watched.shop.post("/orders", body, headers={"idempotency-key": key})
        keyed.append(watched.wire.statements - before)
    look, claim, keep = 1, 1, 1
    assert keyed[-1] == plain + look + _TRANSACTION + claim + keep
    assert await watched.cost("POST", "/orders", status=201, json=body, headers={"idempotency-key": key}) == _GUARD + 1
