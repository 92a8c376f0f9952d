"""Attempts to sign in from many network addresses at once: nobody else waits, and nobody locks an account out."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import httpx2
import pytest

from frontdesk.auth.rate_limit import consume_attempt, count_failures
from frontdesk.auth.throttle import (
    ATTEMPTS_OF_ACCOUNT,
    ATTEMPTS_OF_ACCOUNT_AT_ADDRESS,
    ATTEMPTS_OF_ADDRESS,
    account_subject,
    address_subject,
    subject,
)
from frontdesk.auth.tokens import GUESSES_OF_ADDRESS
from frontdesk.net.addresses import address_prefix
from frontdesk.postgres.pool import Connection
from frontdesk.security.passwords import HASHING, MAX_KNOWN, MAX_UNKNOWN
from frontdesk.values.ids import uuid7
from tests.factories.users import change_user, owner_of
from tests.support.dashboard import DashboardClient
from tests.support.service import Service, running_service
from tests.support.shop import OPEN_API, Shop

_nets = count()


@pytest.fixture
async def proxied(dsn: str) -> AsyncIterator[Service]:
    """A service behind a proxy, so that a test can speak for many addresses."""
    async with running_service(dsn, trusted_proxies=("127.0.0.0/8",)) as service:
        yield service


class Visitors:
    """Browsers at many addresses, all of which hold one form."""

    def __init__(self, desk: DashboardClient, form_token: str) -> None:
        self._desk = desk
        self._form_token = form_token

    async def sign_in(self, address: str, email: str, password: str = "a guess") -> httpx2.Response:
        form = {"form_token": self._form_token, "email": email, "password": password}
        return await self._desk.http.post("/sign-in", data=form, headers={"x-forwarded-for": address})


@pytest.fixture
async def visitors(proxied: Service) -> AsyncIterator[Visitors]:
    async with DashboardClient(proxied.origin, proxied.dsn) as desk:
        yield Visitors(desk, await desk.form_token("/sign-in"))


def addresses(wanted: int) -> list[str]:
    """New ones each time: the throttles of another test do not count."""
    net = next(_nets)
    return [f"10.99.{net}.{host}" for host in range(wanted)]


def account() -> str:
    return f"{uuid7().hex}@people.example"


async def test_the_queue_of_hashes_is_bounded_and_a_known_device_passes(
    proxied: Service, visitors: Visitors, own_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HASHING, "limit", 600.0)  # a busy machine hashes slowly
    async with DashboardClient(proxied.origin, proxied.dsn) as known:
        sandbox = own_shop.sandbox
        assert (await known.sign_in(sandbox.email, sandbox.password)).status_code == 303
        await known.post("/sign-out")
        async with HASHING.turn(False):
            strangers = [asyncio.create_task(visitors.sign_in(one, account())) for one in addresses(240)]
            done, waiting = set[asyncio.Task[httpx2.Response]](), set(strangers)
            while len(waiting) >= MAX_UNKNOWN:  # the test itself has the turn of strangers
                now_done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                done |= now_done
            refused = [task.result() for task in done]
            assert {answer.status_code for answer in refused} == {503}
            assert all(0 < int(answer.headers["retry-after"]) <= 60 for answer in refused)
            assert any("Too many sign-ins" in answer.text for answer in refused)  # a slow machine may be busy otherwise
            entered = await known.sign_in(sandbox.email, sandbox.password)  # it waits for none of them
            assert entered.status_code == 303
            assert not any(task.done() for task in waiting)
        assert {(await task).status_code for task in waiting} == {401}


async def test_the_places_of_known_devices_are_bounded_too(
    proxied: Service, owner: DashboardClient, own_shop: Shop
) -> None:
    form = {"current_password": "a guess", "new_password": "violet lantern harbour"}
    async with DashboardClient(proxied.origin, proxied.dsn) as desk:
        await desk.sign_in(own_shop.sandbox.email, own_shop.sandbox.password)
        sent = form | {"form_token": await desk.form_token()}
        async with HASHING.turn(True):
            answers = [
                asyncio.create_task(desk.http.post("/settings/account/password", data=sent))
                for _ in range(min(10, MAX_KNOWN) + 2)
            ]
            done, _waiting = await asyncio.wait(answers, timeout=120, return_when=asyncio.FIRST_COMPLETED)
            assert {task.result().status_code for task in done} == {429}
        assert sorted({(await task).status_code for task in answers}) == [422, 429]


async def test_a_refused_address_cannot_lock_an_account_out(
    visitors: Visitors, own_shop: Shop, conn: Connection
) -> None:
    stranger, home = addresses(2)
    for _ in range(ATTEMPTS_OF_ADDRESS):
        await consume_attempt(conn, address_subject(stranger), ATTEMPTS_OF_ADDRESS)
    for _ in range(2 * ATTEMPTS_OF_ACCOUNT_AT_ADDRESS):
        assert (await visitors.sign_in(stranger, own_shop.sandbox.email)).status_code == 429
    assert not await conn.fetchval(
        "SELECT count(*) FROM throttles WHERE subject = ANY($1)",
        [account_subject(own_shop.sandbox.email), account_subject(own_shop.sandbox.email, stranger)],
    )
    assert (await visitors.sign_in(home, own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 303


async def test_guesses_at_an_account_do_not_count_at_another_address(visitors: Visitors, own_shop: Shop) -> None:
    stranger, home = addresses(2)
    for _ in range(ATTEMPTS_OF_ACCOUNT_AT_ADDRESS):
        assert (await visitors.sign_in(stranger, own_shop.sandbox.email)).status_code == 401
    assert (await visitors.sign_in(stranger, own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 429
    assert (await visitors.sign_in(home, own_shop.sandbox.email, own_shop.sandbox.password)).status_code == 303


async def test_a_known_device_passes_when_all_attempts_at_its_account_are_used_up(
    service: Service, proxied: Service, visitors: Visitors, own_shop: Shop, conn: Connection
) -> None:
    email, password = own_shop.sandbox.email, own_shop.sandbox.password
    other = (await service.new_shop()).sandbox
    async with DashboardClient(proxied.origin, proxied.dsn) as known:
        assert (await known.sign_in(email, password)).status_code == 303
        await known.post("/sign-out")
        for _ in range(ATTEMPTS_OF_ACCOUNT):
            await consume_attempt(conn, account_subject(email), ATTEMPTS_OF_ACCOUNT)
        (home,) = addresses(1)
        assert (await visitors.sign_in(home, email, password)).status_code == 429
        assert (await known.sign_in(email, password)).status_code == 303
        await known.post("/sign-out")
        for _ in range(ATTEMPTS_OF_ACCOUNT):
            await consume_attempt(conn, account_subject(other.email), ATTEMPTS_OF_ACCOUNT)
        answer = await known.sign_in(other.email, other.password)
        assert answer.status_code == 429  # a device is known for one account


@pytest.mark.parametrize("other", ["{}", "  {}", "{upper}", "{wide}"])
async def test_an_account_has_one_spelling(visitors: Visitors, other: str) -> None:
    (address,) = addresses(1)
    email = account()
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in email)
    spelt = other.format(email, upper=email.upper(), wide=wide)
    for _ in range(ATTEMPTS_OF_ACCOUNT_AT_ADDRESS):
        assert (await visitors.sign_in(address, email)).status_code == 401
    assert (await visitors.sign_in(address, spelt)).status_code == 429


async def test_a_dotted_capital_i_opens_no_second_way_to_an_account(visitors: Visitors, own_shop: Shop) -> None:
    """PostgreSQL lowers it to an i, Python to an i with a dot above: two throttles for one account."""
    local, _, domain = own_shop.sandbox.email.partition("@")
    await change_user(own_shop, await owner_of(own_shop), email=f"i{local}@{domain}")
    (address,) = addresses(1)
    assert (await visitors.sign_in(address, f"İ{local}@{domain}", own_shop.sandbox.password)).status_code == 401
    assert (await visitors.sign_in(address, f"I{local}@{domain}", own_shop.sandbox.password)).status_code == 303


async def test_addresses_of_one_ipv6_network_count_together(visitors: Visitors, conn: Connection) -> None:
    net = f"2001:db8:{uuid7().int & 0xFFFF:x}:{uuid7().int & 0xFFFF:x}"
    for host in range(1, ATTEMPTS_OF_ADDRESS):
        await consume_attempt(conn, address_subject(f"{net}::{host:x}"), ATTEMPTS_OF_ADDRESS)
    assert (await visitors.sign_in(f"{net}::1", account())).status_code == 401
    assert (await visitors.sign_in(f"{net}:ffff::1", account())).status_code == 429
    assert (await visitors.sign_in(f"2001:db8:ffff:{uuid7().int & 0xFFFF:x}::1", account())).status_code == 401


async def test_guesses_at_client_ids_are_counted_by_address_too(
    proxied: Service, own_shop: Shop, other_shop: Shop, conn: Connection
) -> None:
    net = f"2001:db8:{uuid7().int & 0xFFFF:x}:{uuid7().int & 0xFFFF:x}"

    async def guess(number: int) -> int:
        asked = {"grant_type": "client_credentials", "client_id": f"fdc_{number}", "client_secret": "a guess"}
        sent = {"x-forwarded-for": f"{net}::{number % 1000 + 1:x}"}
        return (await proxied.http.post(f"{OPEN_API}/oauth/token", json=asked, headers=sent)).status_code

    for _ in range(GUESSES_OF_ADDRESS - 2):
        await count_failures(conn, {subject("client", address_prefix(f"{net}::1")): GUESSES_OF_ADDRESS})
    assert [await guess(number) for number in range(4)] == [401, 401, 429, 429]
    asked = {
        "grant_type": "client_credentials",
        "client_id": other_shop.sandbox.client_id,
        "client_secret": other_shop.sandbox.client_secret,
    }
    assert (await proxied.http.post(f"{OPEN_API}/oauth/token", json=asked)).status_code == 200


async def test_sign_up_is_counted_by_network_before_anything_is_hashed(proxied: Service) -> None:
    net = f"2001:db8:{uuid7().int & 0xFFFF:x}:{uuid7().int & 0xFFFF:x}"
    async with DashboardClient(proxied.origin, proxied.dsn) as desk:
        form = {
            "form_token": await desk.form_token("/developers/sign-up"),
            "email": "no address",
            "name": "Nora",
            "company": "Nora",
            "password": "short",
        }
        statuses = []
        async with HASHING.turn(False):
            for host in range(1, 6):
                sent = {"x-forwarded-for": f"{net}::{host:x}"}
                statuses.append((await desk.http.post("/developers/sign-up", data=form, headers=sent)).status_code)
    assert statuses[:3] == [422] * 3
    assert statuses[3:] == [429] * 2
