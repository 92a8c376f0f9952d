"""What a running service writes: one line a request, the same fields in each, and nobody's secret or phone number."""

import base64
import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, NamedTuple

import httpx2
import pytest

from frontdesk.postgres.pool import connect
from tests.support.programs.process import running_process
from tests.support.servers.clusters import cloned_database
from tests.support.service import Service
from tests.support.shop import KEY_API, NO_CERTIFICATES, OPEN_API, Shop

pytestmark = pytest.mark.both_servers

PHONE = "+966 50 731 9264"
OTHER_PHONE = "+966507319265"
FIELDS = {"event", "level", "timestamp", "request_id", "tenant", "client", "route", "status", "ms", "statements"}
WRONG_SECRET = "fds_a-guess-that-is-nobodys-secret-000000000000"


class Logged(NamedTuple):
    """What was sent by request id, what came back, and all that the service wrote meanwhile."""

    shop: Shop
    token: str
    answers: dict[str, httpx2.Response]
    output: str

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.splitlines() if line.startswith("{")]

    def line(self, request_id: str) -> dict[str, Any]:
        found = [line for line in self.lines() if line.get("request_id") == request_id and line["event"] == "request"]
        assert len(found) == 1, (request_id, found)
        return found[0]


@pytest.fixture(scope="module")
async def logged(cluster_dsn: str, worker_id: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Logged]:
    async with cloned_database(cluster_dsn, f"logs_{worker_id}") as dsn:
        async with (
            running_process(dsn, tmp_path_factory.mktemp("logs"), FRONTDESK_EMAIL_DNS="off") as running,
            httpx2.AsyncClient(base_url=running.origin, timeout=120, verify=NO_CERTIFICATES) as http,
        ):
            shop = await Service(running.origin, dsn, http).new_shop()
            token, answers = await _talk(http, shop)
        yield Logged(shop, token, answers, running.output)


@pytest.mark.one_server
async def test_a_request_is_one_line_of_known_fields(logged: Logged) -> None:
    assert len(logged.answers) > 20
    for request_id, answer in logged.answers.items():
        line = logged.line(request_id)
        assert set(line) == FIELDS
        assert (line["event"], line["level"], line["status"]) == ("request", "info", answer.status_code)
        assert datetime.fromisoformat(line["timestamp"]).utcoffset() is not None
        assert line["ms"] > 0
        assert line["statements"] >= 0


@pytest.mark.one_server
async def test_a_line_names_caller_and_route_but_never_the_address(logged: Logged) -> None:
    listed = logged.line("phone-in-query")
    client_id = (await logged.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL"))[0][
        "id"
    ]
    assert (listed["tenant"], listed["client"]) == (str(logged.shop.tenant_id), str(client_id))
    assert listed["route"] == f"GET {OPEN_API}/customers"
    assert logged.line("by-phone")["statements"] == 1  # what they asked for, and with it who calls
    assert logged.line("phone-in-path")["route"] == f"GET {OPEN_API}/customers/{{uuid}}"
    assert logged.line("phone-in-route")["route"] == "unknown"
    assert logged.line("key")["route"] == f"GET {KEY_API}/items"
    assert logged.line("key")["client"] not in (None, str(client_id))
    anonymous = logged.line("no-token")
    assert (anonymous["tenant"], anonymous["client"], anonymous["statements"]) == (None, None, 0)


@pytest.mark.one_server
async def test_a_failure_leaves_a_trace_beside_its_line(logged: Logged) -> None:
    failed = {line["request_id"]: line for line in logged.lines() if line["event"] == "failed"}
    assert set(failed) == {"constraint", "column"}
    for request_id, kind, where in (
        ("constraint", "CheckViolationError", "create_customer"),
        ("column", "UndefinedColumnError", "list_branches"),
    ):
        assert logged.answers[request_id].status_code == 500
        assert failed[request_id]["level"] == "error"
        assert failed[request_id]["trace"][0] == kind
        assert any(where in frame for frame in failed[request_id]["trace"])


@pytest.mark.one_server
async def test_no_secret_and_no_phone_number_is_written(logged: Logged) -> None:
    sandbox = logged.shop.sandbox
    digits = "".join(c for c in PHONE if c.isdigit())
    secrets = [sandbox.client_secret, sandbox.api_key, sandbox.password, logged.token, WRONG_SECRET]
    texts = [
        *secrets,
        *(secret[4:] for secret in secrets),
        PHONE,
        digits,
        digits[3:],
        PHONE.replace(" ", "%20"),
        OTHER_PHONE[4:],
    ]
    texts.append(base64.b64encode(f"{sandbox.client_id}:{sandbox.client_secret}".encode()).decode())
    assert "request" in logged.output
    for text in texts:
        assert text not in logged.output


async def _talk(http: httpx2.AsyncClient, shop: Shop) -> tuple[str, dict[str, httpx2.Response]]:
    """Everything that carries a secret or a phone number, made right and made wrong."""
    answers: dict[str, httpx2.Response] = {}

    async def send(request_id: str, method: str, path: str, headers: dict[str, str] | None = None, **rest: Any) -> None:
        sent = {"x-request-id": request_id, **(headers or {})}
        answers[request_id] = await http.request(method, path, headers=sent, **rest)

    credentials = {"client_id": shop.sandbox.client_id, "client_secret": shop.sandbox.client_secret}
    grant = {"grant_type": "client_credentials", **credentials}
    await send("token", "POST", f"{OPEN_API}/oauth/token", json=grant)
    token: str = answers["token"].json()["access_token"]
    auth, key = {"authorization": f"Bearer {token}"}, {"x-api-key": shop.sandbox.api_key}
    customer = {"first_name": "Maha", "phone": PHONE, "phone_country": "SA"}
    await send("form", "POST", f"{OPEN_API}/oauth/token", data=grant)
    basic = (shop.sandbox.client_id, shop.sandbox.client_secret)
    await send("basic", "POST", f"{OPEN_API}/oauth/token", data={"grant_type": "client_credentials"}, auth=basic)
    await send("wrong-secret", "POST", f"{OPEN_API}/oauth/token", json=grant | {"client_secret": WRONG_SECRET})
    await send(
        "wrong-grant", "POST", f"{OPEN_API}/oauth/token", json=grant | {"grant_type": shop.sandbox.client_secret}
    )
    await send("secret-as-scope", "POST", f"{OPEN_API}/oauth/token", json=grant | {"scope": WRONG_SECRET})
    await send("introspect", "POST", f"{OPEN_API}/oauth/introspect", json=credentials | {"token": token})
    await send("revoke-other", "POST", f"{OPEN_API}/oauth/revoke", json=credentials | {"token": WRONG_SECRET})
    await send("create", "POST", f"{OPEN_API}/customers", auth, json=customer)
    await send("create-again", "POST", f"{OPEN_API}/customers", auth, json=customer)
    await send("bad-phone", "POST", f"{OPEN_API}/customers", auth, json=customer | {"phone": PHONE + "x" * 300})
    await send("broken", "POST", f"{OPEN_API}/customers", auth, content=json.dumps(customer)[:-1])
    await send("phone-in-query", "GET", f"{OPEN_API}/customers", auth, params={"phone": PHONE})
    await send("by-phone", "GET", f"{OPEN_API}/customers/phone", auth, params={"phone": PHONE})
    await send("bad-query", "GET", f"{OPEN_API}/customers", auth, params={"phone": PHONE, "page": PHONE})
    await send("phone-in-path", "GET", f"{OPEN_API}/customers/{PHONE}", auth)
    await send("phone-in-route", "GET", f"{OPEN_API}/{PHONE}/{token}", auth)
    await send("wrong-method", "DELETE", f"{OPEN_API}/customers?phone={PHONE}", auth)
    await send("no-token", "GET", f"{OPEN_API}/customers", params={"phone": PHONE})
    await send("bad-token", "GET", f"{OPEN_API}/customers", {"authorization": f"Bearer {token}x"})
    await send("key-as-token", "GET", f"{OPEN_API}/customers", {"authorization": f"Bearer {shop.sandbox.api_key}"})
    await send("key", "GET", f"{KEY_API}/items", key)
    await send("till-finds", "GET", f"{KEY_API}/customers/find", key, params={"phone": PHONE})
    await send("bad-key", "GET", f"{KEY_API}/items", {"x-api-key": f"{shop.sandbox.api_key}x"})
    await _break(shop.dsn)
    await send("constraint", "POST", f"{OPEN_API}/customers", auth, json=customer | {"phone": OTHER_PHONE})
    await send("column", "GET", f"{OPEN_API}/branches?phone={PHONE}", auth)
    await send("revoke", "POST", f"{OPEN_API}/oauth/revoke", json=credentials | {"token": token})
    await send("revoked", "GET", f"{OPEN_API}/customers", auth)
    return token, answers


async def _break(dsn: str) -> None:
    """From here a phone breaks a rule, which PostgreSQL tells by quoting the row, and branches cannot be read."""
    raw = await connect(dsn)
    await raw.execute("ALTER TABLE customers ADD CONSTRAINT nobody CHECK (phone IS NULL) NOT VALID")
    await raw.execute("ALTER TABLE branches RENAME COLUMN name TO label")
    await raw.close()
