import asyncio
import socket
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.net import email_domains
from frontdesk.net.email_domains import DomainChecker, EmailError, normalize_email
from frontdesk.net.problems import EmailProblem
from tests.support.servers.dns import Zone, running_name_server
from tests.support.waiting import PATIENCE_SECONDS, eventually


@pytest.fixture(scope="module")
def name_server() -> Iterator[str]:
    with running_name_server(Zone()) as address:
        yield address


@pytest.fixture
def resolver(name_server: str, patient: None) -> str:
    """It answers everything, and is asked as long as a busy machine takes."""
    return name_server


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_TIMEOUT", "_PACKET_TIMEOUT"):
        monkeypatch.setattr(email_domains, limit, PATIENCE_SECONDS)


@pytest.mark.parametrize(
    "domain",
    [
        "mail.corp.com",
        "MAIL.Corp.com",
        "a-only.corp.com",
        "aaaa-only.corp.com",
        "alias.corp.com",
        "münchen.corp.com",
        "xn--mnchen-3ya.corp.com",
        "half.corp.com",
    ],
)
async def test_a_domain_that_takes_mail_is_accepted(resolver: str, domain: str) -> None:
    await DomainChecker(True, resolver).check(f"user@{domain}")


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        ("missing.corp.com", EmailProblem.NO_DOMAIN),
        ("köln.corp.com", EmailProblem.NO_DOMAIN),
        ("null-mx.corp.com", EmailProblem.NO_MAIL),
        ("empty.corp.com", EmailProblem.NO_MAIL),
    ],
)
async def test_a_domain_that_cannot_take_mail_is_refused(resolver: str, domain: str, why: EmailProblem) -> None:
    checker = DomainChecker(True, resolver)
    for _ in range(2):
        with pytest.raises(EmailError) as refused:
            await checker.check(f"user@{domain}")
        assert refused.value.kind is why


@pytest.mark.parametrize("domain", ["broken.corp.com", "refused.corp.com", "half-empty.corp.com"])
async def test_a_failing_resolver_is_not_believed(resolver: str, domain: str) -> None:
    await DomainChecker(True, resolver).check(f"user@{domain}")


async def test_a_silent_domain_is_accepted_after_the_timeout_and_delays_no_other_check() -> None:
    zone = Zone()
    with running_name_server(zone) as address:
        checker = DomainChecker(True, address)
        waiting = asyncio.create_task(checker.check("user@silent.corp.com"))
        await checker.check("user@mail.corp.com")
        assert not waiting.done()
        await waiting
        queries = zone.queries.total()
        await checker.check("other@silent.corp.com")
        assert zone.queries.total() == queries


async def test_a_silent_root_neither_lengthens_the_limit_nor_is_waited_for_again() -> None:
    zone = Zone()
    zone.faults["."] = "SILENCE"
    with running_name_server(zone) as address:
        checker, before = DomainChecker(True, address), asyncio.all_tasks()
        await checker.check("user@missing.corp.com")
        await eventually(lambda: asyncio.all_tasks() <= before)  # it goes on asking for the root behind the answer
        queries = zone.queries[". NS"]
        await checker.check("user@missing-too.corp.com")
        assert zone.queries[". NS"] == queries


@pytest.mark.parametrize("rcode", ["NXDOMAIN", "REFUSED", "SERVFAIL", "NOTIMP"])
async def test_a_closed_network_that_denies_the_root_too_is_not_believed(rcode: str) -> None:
    with running_name_server(Zone(everything=rcode)) as address:
        await DomainChecker(True, address).check("user@missing.corp.com")


async def test_an_address_where_nobody_listens_is_not_believed() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    await DomainChecker(True, address).check("user@missing.corp.com")


async def test_a_burst_asks_the_resolver_once(patient: None) -> None:
    zone = Zone()
    with running_name_server(zone) as address:
        checker = DomainChecker(True, address)
        good = [checker.check(f"user{n}@mail.corp.com") for n in range(50)]
        bad = [checker.check(f"user@missing{n % 5}.corp.com") for n in range(50)]
        answers = await asyncio.gather(*good, *bad, return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None)] * 50 + [EmailError] * 50
        await checker.check("late@mail.corp.com")
    assert zone.queries["mail.corp.com. MX"] == 1
    assert zone.queries["missing0.corp.com. MX"] == 1
    assert zone.queries[". NS"] == 1


async def test_a_canceled_domain_check_does_not_cancel_others(resolver: str) -> None:
    checker = DomainChecker(True, resolver)
    gone = asyncio.create_task(checker.check("a@missing.corp.com"))
    waiting = asyncio.create_task(checker.check("b@missing.corp.com"))
    await asyncio.sleep(0)
    gone.cancel()
    with pytest.raises(EmailError):
        await waiting
    with pytest.raises(asyncio.CancelledError):
        await gone


async def test_the_memory_of_domains_is_bounded(resolver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontdesk.net.email_domains._MAX_CACHED_DOMAINS", 3)
    checker = DomainChecker(True, resolver)
    for n in range(10):
        with pytest.raises(EmailError):
            await checker.check(f"user@missing{n}.corp.com")
    assert list(checker._problems._cache) == [f"missing{n}.corp.com" for n in (7, 8, 9)]


async def test_a_disabled_domain_check_asks_no_resolver() -> None:
    zone = Zone()
    with running_name_server(zone) as address:
        await DomainChecker(False, address).check("user@missing.corp.com")
    assert not zone.queries


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("127.0.0.1", ("127.0.0.1", 53)),
        ("127.0.0.1:5353", ("127.0.0.1", 5353)),
        ("::1", ("::1", 53)),
        ("[::1]", ("::1", 53)),
        ("[::1]:5353", ("::1", 5353)),
    ],
)
def test_a_resolver_is_an_address_with_or_without_a_port(text: str, server: tuple[str, int]) -> None:
    resolver = DomainChecker(True, text)._resolver
    assert resolver is not None
    assert (*resolver.nameservers, resolver.port) == server


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "dns.corp.com",
        "127.0.0.1:",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:x",
        "300.0.0.1",
        "::1:70000:",
        "[::1",
        "[127.0.0.1]:53",
        "127.0.0.1:٥٣",
        "https://127.0.0.1/dns-query",
        "1.1.1.1,8.8.8.8",
    ],
)
def test_a_malformed_resolver_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValueError, match="resolver"):
        DomainChecker(True, text)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("User+tag@CORP.com", "User+tag@corp.com"),
        (" user@corp.com ", "user@corp.com"),
        ("user@xn--mnchen-3ya.corp.com", "user@münchen.corp.com"),
        ("user@MÜNCHEN.corp.com", "user@münchen.corp.com"),
        ("مستخدم@corp.com", "مستخدم@corp.com"),
        ("user@e\u0301cole.com", "user@\u00e9cole.com"),
    ],
)
def test_an_address_has_one_spelling(text: str, normal: str) -> None:
    assert normalize_email(text) == normal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "user",
        "@corp.com",
        "user@",
        "user@localhost",
        "user@corp..com",
        "a@b@corp.com",
        "User <user@corp.com>",
        "user@[127.0.0.1]",
        "us er@corp.com",
        "user\x00@corp.com",
        "user\n@corp.com",
        "\ud800@corp.com",
        "user@\ud800.com",
        "u" * 65 + "@corp.com",
        f"user@{'d' * 64}.com",
        "user@" + "d." * 125 + "com",
        "ü@" + ".".join(["d" * 60] * 4) + ".example.com",
        "@" * (1 << 20),
    ],
)
def test_a_malformed_email_address_is_refused(text: str) -> None:
    with pytest.raises(EmailError) as refused:
        normalize_email(text)
    assert refused.value.kind in (EmailProblem.NOT_AN_ADDRESS, EmailProblem.TOO_LONG)


_ANYTHING = st.text(st.characters(exclude_categories=()))


@settings(deadline=None)
@given(_ANYTHING | st.builds("{}@{}.{}".format, _ANYTHING, _ANYTHING, _ANYTHING | st.just("com")))
def test_any_text_is_an_address_in_its_final_spelling_or_an_email_error(text: str) -> None:
    try:
        normal = normalize_email(text)
    except EmailError:
        return
    assert normalize_email(normal) == normal
    assert len(normal.encode()) <= 254
