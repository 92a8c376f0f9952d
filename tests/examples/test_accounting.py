"""The accounting example, installed by a business: its journal is complete, and forged webhooks are rejected."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from examples.accounting.journal import Journal
from examples.accounting.receiver import Inbox, receiving
from examples.accounting.reconciliation import Reconciliation, reconcile
from frontdesk.webhooks.signing import new_signing_secret
from frontdesk_client import Client, sign_webhook
from frontdesk_client.models import Event
from tests.factories.changes import change_rows
from tests.factories.users import owner_of
from tests.support.applications import Installed, approved, install, new_developer, new_operator
from tests.support.dashboard import dashboard_of
from tests.support.flaky import flaky_proxy
from tests.support.programs.process import running_process
from tests.support.service import SECRET_KEYS, Service
from tests.support.shop import NO_CERTIFICATES, OPEN_API, Shop

ROOT = Path(__file__).parents[2]
SCOPES = (
    *("branches:read", "items:read", "payment_methods:read", "customers:write"),
    *("orders:read", "orders:write", "transactions:read", "transactions:write"),
)


@pytest.fixture
async def installed(service: Service, other_shop: Shop) -> AsyncIterator[Installed]:
    """Developed, reviewed, approved, and let in by a business with every scope ticked."""
    business, developer = await service.new_shop(), await new_developer(service)
    async with developer.desk, await new_operator(other_shop) as operator:
        asked = dict.fromkeys(SCOPES, ("To keep the books", True))
        application_id = await approved(developer, operator, scopes=asked)
    async with await dashboard_of(business, await owner_of(business)) as owner:
        app = await install(owner, business, application_id, *SCOPES)
        await change_rows(business, "api_clients", {"install_id": app.id}, rate_limit=1000)
        yield app


async def run_accounting(origin: str, app: Installed) -> tuple[int, str, str]:
    own = {
        "FRONTDESK_BASE_URL": f"{origin}{OPEN_API}",
        "FRONTDESK_CLIENT_ID": app.shown["client-id"],
        "FRONTDESK_CLIENT_SECRET": app.shown["client-secret"],
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "examples.accounting", "--bookings", "4"),
        cwd=ROOT,
        env={**os.environ, **own},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    return process.returncode or 0, output.decode(), errors.decode()


async def test_an_installed_application_books_is_paid_and_misses_no_event(
    installed: Installed, dsn: str, tmp_path: Path
) -> None:
    settings = {"FRONTDESK_WEBHOOK_ALLOW_PRIVATE": "on", "FRONTDESK_SECRET_KEY": SECRET_KEYS[0]}
    async with (
        running_process(dsn, tmp_path, **settings) as running,
        flaky_proxy(running.origin, seed=4, share=0.06) as line,
    ):
        status, output, errors = await run_accounting(line.origin, installed)
        assert status == 0, output + errors
        assert line.lost_requests + line.lost_answers >= 2
        await booked_as_reported(installed.shop, json.loads(output))
        assert await installed.post("disconnect") == 303
        status, output, errors = await run_accounting(running.origin, installed)
        assert (status, output, errors.split(":")[0]) == (1, "", "401 authentication_failed")


async def booked_as_reported(shop: Shop, report: dict[str, Any]) -> None:
    """What the application says of itself is what the database says."""
    assert report["complete"]
    orders = await shop.sql(
        "SELECT id::text, status, total, paid_amount FROM orders WHERE tenant_id = $1 AND id = ANY ($2::uuid[])",
        report["bookings"],
    )
    assert sorted(row["status"] for row in orders) == ["canceled", "confirmed", "confirmed", "confirmed"]
    assert {row["paid_amount"] for row in orders if row["status"] == "confirmed"} == {Decimal(150)}
    assert report["accounts"] == {"cash": "480.00", "receivable": "-30.00", "revenue": "-450.00"}
    events = await shop.sql(
        "SELECT sequence FROM events WHERE tenant_id = $1 AND type <> 'customer.created' AND type NOT LIKE 'app.%' "
        "AND type <> 'order.payment_status_changed' ORDER BY sequence"
    )
    assert report["received"] == [row["sequence"] for row in events]
    assert await shop.sql("SELECT FROM webhooks WHERE tenant_id = $1 AND url LIKE 'http://127%'") == []


def event(sequence: int, type_: str, **data: Any) -> Event:
    return Event(uuid4(), type_, "2026-03-01T09:30:00.123456Z", "v1", uuid4(), sequence, data)


def test_missed_and_unexpected_events_are_reported_by_sequence() -> None:
    events = [event(number, "webhook.ping") for number in range(1, 6)]
    client = Client("http://127.0.0.1:1", token="never used")
    assert reconcile(events, events, client) == Reconciliation([], [], [])
    result = reconcile(events[:4], [events[0], events[2], events[4]], client)
    assert (result.missed, result.unexpected, result.is_complete) == ([2, 4], [5], False)


def test_the_journal_balances_and_a_cancellation_takes_the_sale_back() -> None:
    order = {"id": "o", "status": "confirmed", "total": Decimal("12.50")}
    paid = {"amount": "2.50", "order": {"id": "o"}, "payment_method": {"slug": "cash"}}
    events = [event(1, "order.created", order=order), event(2, "transaction.created", transaction=paid)]
    journal = Journal(events)
    assert journal.balances == {"revenue": Decimal("-12.50"), "receivable": Decimal("10.00"), "cash": Decimal("2.50")}
    canceled = event(3, "order.status_changed", order=order, previous_status="confirmed", status="canceled")
    assert Journal([*events, canceled]).orders == {"o": (Decimal("0.00"), Decimal("2.50"))}
    draft = event(1, "order.created", order={**order, "status": "draft"})
    assert Journal([draft]).orders == {}


def test_the_receiver_stores_a_signed_event_once_and_rejects_others() -> None:
    inbox = Inbox()
    inbox.secrets = (new_signing_secret(),)
    body = (
        b'{"id":"01920000-0000-7000-8000-0000000000e1","type":"webhook.ping","timestamp":"2026-03-01T09:30:00.123456Z",'
        b'"api_version":"v1","tenant_id":"01920000-0000-7000-8000-000000000001","sequence":7,"data":{}}'
    )
    genuine, forged = (sign_webhook("x", body, secret) for secret in (inbox.secrets[0], new_signing_secret()))
    with receiving(inbox, 0) as port, httpx2.Client(verify=NO_CERTIFICATES, timeout=120) as http:
        sent = [http.post(f"http://127.0.0.1:{port}/", content=body, headers=h) for h in (genuine, forged, genuine)]
    assert [response.status_code for response in sent] == [204, 401, 204]
    assert ([event.sequence for event in inbox.events()], inbox.repeated, inbox.rejected) == ([7], 1, 1)
