"""Everything that is parsed before authentication takes time in proportion to its length, for any content."""

import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from uvicorn.middleware.proxy_headers import _TrustedHosts

from frontdesk.accounts.device_names import describe_device
from frontdesk.apis.open.api import open_api
from frontdesk.apis.open.oauth import TokenRequest, decode_basic, decode_form
from frontdesk.apis.open.orders import OrderQuery
from frontdesk.apis.problems import answer_problem
from frontdesk.auth.credentials import parse_client_id, tenant_of_invitation, tenant_of_key, tenant_of_token
from frontdesk.config import Settings
from frontdesk.docs_site.search import search
from frontdesk.http.app_state import AppState
from frontdesk.http.decoding import convert, decode_object, decode_query
from frontdesk.http.forms import convert_form, read_form
from frontdesk.http.lifecycle import REQUEST_ID
from frontdesk.http.request import Request
from frontdesk.http.routing import Routes
from frontdesk.http.writes import IDEMPOTENCY_KEY
from frontdesk.i18n.languages import choose_language
from frontdesk.net.email_domains import normalize_email
from frontdesk.net.safe_url import parse_url
from frontdesk.problems import Problem, Refusal
from frontdesk.ui.app import dashboard
from frontdesk.ui.auth.sign_in import Destination, SignInForm
from frontdesk.ui.shell.cookies import read_cookies
from frontdesk.ui.shell.csrf import verify_csrf
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.routing import without_empty
from frontdesk.values.phones import digits_of, international_digits, parse_phone

HEAD, FORM, TOKEN, BODY = 16_000, 24_000, 8_000, 64_000
STEPS = 8  # how much longer the longest text is than the shortest
MOST = STEPS * 3  # times as long; what grows with the square takes 64 times as long
LEAST = 40e-6  # seconds; a shorter time is mostly noise

Parse = Callable[[bytes], object]
Make = Callable[[int], bytes]


def _call(name: bytes, value: bytes) -> Request:
    settings = Settings(data_dir=Path("unused"))
    scope = {"path": "/", "method": "GET", "scheme": "http", "query_string": b"", "headers": [(name, value)]}
    resources = AppState(settings, None, None, None, None, None, None, None)  # type: ignore[arg-type]
    return Request(scope, None, resources, "")  # type: ignore[arg-type]


def _text(parse: Callable[[str], object]) -> Parse:
    return lambda raw: parse(raw.decode("latin-1"))


def _utf8(parse: Callable[[str], object]) -> Parse:
    return lambda raw: parse(raw.decode("utf-8", "ignore"))


def _repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> Make:
    return lambda size: before + piece * (size // len(piece)) + after


_OPEN_API, _DASHBOARD = Routes(open_api().operations), Routes(dashboard().pages)
_PART = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'
_DISPOSITION = b"--x\r\ncontent-disposition: form-data;"
_END = b"\r\n\r\nvalue\r\n--x--\r\n"

FORMS: dict[str, Make] = {
    "multipart: parameters without a name": _repeated(b"a", _DISPOSITION, _END),
    "multipart: many dispositions in one head": _repeated(b"content-disposition: form-data;", b"--x\r\n", _END),
    "multipart: many dispositions, a line each": _repeated(b"content-disposition: form-data;\r\n", b"--x\r\n", _END),
    "multipart: semicolons": _repeated(b"; ", _DISPOSITION, _END),
    "multipart: quotes": _repeated(b';name="', _DISPOSITION, _END),
    "multipart: escaped quotes": _repeated(b'\\"', _DISPOSITION + b' name="', _END),
    "multipart: spaces": _repeated(b" ", _DISPOSITION, _END),
    "multipart: file names": _repeated(b"; filename", _DISPOSITION, _END),
    "multipart: a disposition of spaces": _repeated(b"content-disposition:;      ", b"--x\r\n", _END),
    "multipart: lines": _repeated(b"\r\n", _PART, _END),
    "multipart: almost boundaries": _repeated(b"\r\n--y", _PART, _END),
    "multipart: boundaries": _repeated(b"\r\n--x", b"--x\r\n", _END),
    "multipart: a long boundary": _repeated(b"-", b"--" + b"-" * 150 + b"\r\n", _END),
    "multipart: parts": _repeated(_PART + b"v\r\n", b"", b"--x--\r\n"),
    "multipart: a file": _repeated(b"\xff", b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n'),
    "encoded: ampersands": _repeated(b"&"),
    "encoded: pairs": _repeated(b"a=b&"),
    "encoded: one value": _repeated(b"%D8%A7", b"email="),
    "encoded: broken escapes": _repeated(b"%%", b"email="),
    "encoded: equals signs": _repeated(b"=", b"email="),
    "encoded: line breaks": _repeated(b"%0D%0A", b"email="),
}

COOKIES = {
    "pairs": _repeated(b"frontdesk_a=b; "),
    "nothing but names": _repeated(b"a "),
    "semicolons": _repeated(b";"),
    "spaces": _repeated(b" "),
    "an open quote": _repeated(b"a", b'frontdesk_session="'),
    "escapes": _repeated(b"\\", b'frontdesk_session="'),
    "octal escapes": _repeated(b"\\377", b'frontdesk_session="', b'"'),
    "quoted escapes": _repeated(b'\\"', b'frontdesk_session="', b'"'),
    "equals signs": _repeated(b"="),
    "dates": _repeated(b"expires=Wed, 09 Jun 2021 10:18:14 GMT; "),
}

JSON: dict[str, Make] = {
    "spaces": _repeated(b" "),
    "braces": _repeated(b'{"a":'),
    "brackets": _repeated(b"[", b'{"a":'),
    "closed brackets": lambda size: b'{"a":' + b"[" * (size // 2) + b"]" * (size // 2) + b"}",
    "fields": _repeated(b'"a":1,', b"{", b'"z":1}'),
    "different fields": lambda size: b"{" + b",".join(b'"%d":1' % n for n in range(size // 10)) + b"}",
    "deep fields with NUL": lambda size: (
        b'{"a":' * 200 + b'["\\u0000"' + b',"\\u0000"' * (size // 9) + b"]" + b"}" * 200
    ),
    "a long text": _repeated(b"a", b'{"client_id":"', b'"}'),
    "a long text of marks": _repeated("\u200b".encode(), b'{"client_id":"', b'"}'),
    "a long text of escapes": _repeated(b"\\u200b", b'{"client_id":"', b'"}'),
    "a long integer": _repeated(b"9", b'{"client_id":', b"}"),
    "a long fraction": _repeated(b"9", b'{"client_id":1.', b"}"),
    "a long exponent": _repeated(b"9", b'{"client_id":1e', b"}"),
    "many long integers": _repeated(b"9" * 4000 + b",", b'{"client_id":[', b"1]}"),
    "many long fractions": _repeated(b"9." + b"9" * 4000 + b",", b'{"client_id":[', b"1]}"),
    "unpaired surrogates": _repeated(b"\\ud800", b'{"client_id":"', b'"}'),
    "bytes that are no UTF-8": _repeated(b"\xff", b'{"client_id":"', b'"}'),
}

QUERIES = {
    "pairs": _repeated(b"a=b&"),
    "the same integer": _repeated(b"page=1&"),
    "ampersands": _repeated(b"&"),
    "equals signs": _repeated(b"="),
    "digits": _repeated(b"9", b"page="),
    "a phone": _repeated(b"9", b"phone="),
    "escapes": _repeated(b"%D8%A7", b"name="),
    "escaped spaces": _repeated(b"%C2%A0", b"name="),
    "marks": _repeated(b"%E2%80%8B", b"name="),
    "broken escapes": _repeated(b"%", b"name="),
    "a date": _repeated(b"2026-01-01", b"from="),
}

TEXTS: dict[str, Make] = {
    "letters": _repeated(b"a"),
    "digits": _repeated(b"1"),
    "spaces": _repeated(b" "),
    "commas": _repeated(b","),
    "quotes": _repeated(b"'"),
    "quoted": _repeated(b"'1'"),
    "numbers": _repeated(b"1 "),
    "languages": _repeated(b"xx;q=0.1,"),
    "semicolons": _repeated(b";"),
    "dashes": _repeated(b"-"),
    "slashes": _repeated(b"/"),
    "names": _repeated(b"a."),
    "colons": _repeated(b"1:"),
    "an open bracket": _repeated(b":", b"["),
    "at signs": _repeated(b"@"),
    "an e-mail address": _repeated(b"a.", b"", b"@example.com"),
    "the domain of an e-mail address": _repeated(b"a.", b"x@"),
    "comments": _repeated(b"(", b"x@"),
    "a URL": _repeated(b"a.", b"https://"),
    "a URL of dashes": _repeated(b"-", b"https://"),
    "a query of a URL": _repeated(b"a&", b"https://example.com/?"),
    "addresses": _repeated(b"10.0.0.1, "),
    "letters of another script": _repeated("ا".encode()),
    "full-width digits": _repeated("１".encode()),
    "escapes": _repeated(b"%41"),
    "a path": _repeated(b"orders/"),
    "a token": _repeated(b"A", b"fdt_"),
    "Basic": lambda size: b64encode(b"a:%41" * (size // 8)),
    "Basic that is none": _repeated(b"="),
}

READERS: dict[str, tuple[Parse, int]] = {
    "Authorization: Bearer": (_text(tenant_of_token), HEAD),
    "Authorization: Basic": (_text(decode_basic), HEAD),
    "X-Api-Key": (_text(tenant_of_key), HEAD),
    "client_id": (_text(parse_client_id), TOKEN),
    "invitation": (_text(tenant_of_invitation), HEAD),
    "Accept-Language": (_text(lambda text: choose_language(None, text)), HEAD),
    "User-Agent": (_text(describe_device), HEAD),
    "Host": (lambda raw: _call(b"host", raw).origin, HEAD),
    "Origin": (lambda raw: verify_csrf(_call(b"origin", raw), {}, "", None), HEAD),
    "Referer": (lambda raw: verify_csrf(_call(b"referer", raw), {}, "", None), HEAD),
    "X-Forwarded-For": (_text(_TrustedHosts(["10.0.0.1", "10.0.0.0/8"]).get_trusted_client_address), HEAD),
    "X-Request-Id": (_text(REQUEST_ID.fullmatch), HEAD),
    "Idempotency-Key": (_text(lambda text: IDEMPOTENCY_KEY.fullmatch(text.strip())), HEAD),
    "path of the Open API": (_text(lambda text: _OPEN_API.find("GET", "/" + text)), HEAD),
    "path of the dashboard": (_text(lambda text: _DASHBOARD.find("GET", "/" + text)), HEAD),
    "where to go after signing in": (_utf8(local_path), FORM),
    "filter of a page": (without_empty, HEAD),
    "search of the documentation": (_utf8(lambda text: search(text[:100])), HEAD),
    "e-mail address": (_utf8(normalize_email), FORM),
    "telephone number": (_utf8(lambda text: parse_phone(text, "SA")), FORM),
    "digits of a number": (_utf8(digits_of), HEAD),
    "number to look up": (_utf8(international_digits), HEAD),
    "URL": (_utf8(parse_url), FORM),
}


CASES: list[tuple[str, Parse, int, dict[str, Make]]] = [
    ("form", lambda raw: convert_form(read_form(raw), SignInForm), FORM, FORMS),
    ("cookies", lambda raw: read_cookies(_call(b"cookie", raw)), HEAD, COOKIES),
    ("token request", lambda raw: convert(decode_object(raw), TokenRequest), BODY, JSON),
    ("object", decode_object, BODY, JSON),
    ("token form", lambda raw: convert(decode_form(raw), TokenRequest), TOKEN, FORMS),
    ("query", lambda raw: decode_query(raw, OrderQuery), HEAD, QUERIES),
    ("query of a page", lambda raw: decode_query(without_empty(raw), Destination), HEAD, QUERIES),
    *((name, reader, most, TEXTS) for name, (reader, most) in READERS.items()),
]


@pytest.mark.parametrize(("parse", "most", "kinds"), [pytest.param(*case, id=name) for name, *case in CASES])
def test_time_grows_no_faster_than_length(parse: Parse, most: int, kinds: dict[str, Make]) -> None:
    slow = {kind: grown for kind, make in kinds.items() if (grown := _growth(parse, make, most)) > MOST}
    assert not slow


def _growth(parse: Parse, make: Make, most: int) -> float:
    """How many times as long the longer text takes."""
    for tries in (1, 4, 12):  # a busy machine is given another chance
        short, long = (_best_time(parse, make(size), tries) for size in (most // STEPS, most))
        if long < MOST * max(short, LEAST):
            break
    return long / max(short, LEAST)


def _best_time(parse: Parse, raw: bytes, tries: int) -> float:
    """Of this thread's own work, so that what else the machine does counts little."""
    times = []
    for _ in range(tries):
        began = time.thread_time()
        with suppress(Refusal, UnicodeError):
            parse(raw)
        times.append(time.thread_time() - began)
    return min(times)


def test_a_body_of_very_many_values_is_refused_before_they_are_looked_at() -> None:
    body = b'{"lines":[' + b"{}," * 20_000 + b"{}]}"
    with pytest.raises(Problem) as refused:
        decode_object(body)
    assert answer_problem(refused.value, {}).errors == {"": ["the body has more than 20000 values"]}
