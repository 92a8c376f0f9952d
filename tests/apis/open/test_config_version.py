"""What a process keeps of a business's books counts only as long as nobody changes them.

Every test lets the service learn the books first, by an order and a question, and shows that the second order needed
no look. Then something changes behind its back, and the very next request must know.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import msgspec
import pytest

from frontdesk.auth.credentials import parse_client_id
from frontdesk.availability.queries import get_service, list_providers
from frontdesk.availability.window import window_of
from frontdesk.orders.queries.placing import get_order_context
from frontdesk.orders.types import Actor, LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.secrets import hash_secret
from frontdesk.values.time import get_zone
from tests.support.http_errors import assert_error
from tests.support.metrics import metrics_text
from tests.support.pagination import Document
from tests.support.salon import RIYADH, Salon, books, day, line, local, method_of, open_salon, start
from tests.support.service import Service
from tests.support.shop import Shop

_DAY = 5


class Known(NamedTuple):
    """A salon whose books the service has in mind."""

    salon: Salon
    service_id: UUID
    staff_id: UUID
    method_id: str

    def order(self, at: str) -> Document:
        wanted = line(self.service_id, staff_id=self.staff_id)
        payment = {"amount": 1, "payment_method_id": self.method_id}
        return self.salon.order(wanted, start=start(day(_DAY), at), payment=payment)

    async def place(self, at: str) -> httpx2.Response:
        return await self.salon.shop.post("/orders", self.order(at))

    async def starts(self) -> list[str]:
        return await self.salon.starts(self.service_id, day(_DAY), staff_id=self.staff_id)

    async def sql(self, statement: str, *args: object) -> list[Any]:
        return await self.salon.shop.sql(statement, *args)


@pytest.fixture
async def known(service: Service, other_shop: Shop) -> Known:
    shop = await service.new_shop()
    salon = await open_salon(shop)
    service_id = await salon.add_service()
    known = Known(salon, service_id, await salon.add_provider(service_id), await method_of(shop))
    for at in ("09:00", "09:30", "10:00"):
        assert (await known.place(at)).status_code == 201
        await known.starts()
    return known


async def _statements(known: Known, at: str) -> int:
    before = await _counted(known.salon.shop)
    assert (await known.place(at)).status_code == 201
    return await _counted(known.salon.shop) - before


async def _counted(shop: Shop) -> int:
    found = next(
        row
        for row in (await metrics_text(shop.origin)).splitlines()
        if row.startswith("frontdesk_statements_total") and 'POST /open-api/v1/orders"' in row
    )
    return int(float(found.rsplit(" ", 1)[1]))


async def test_an_order_for_a_named_provider_is_one_statement_once_the_books_are_known(known: Known) -> None:
    assert await _statements(known, "11:00") == 1


async def _refused(known: Known, at: str) -> Document:
    kept = await books(known.salon.shop)
    answer = await known.place(at)
    assert answer.status_code == 422, answer.text
    assert await books(known.salon.shop) == kept
    refusal: Document = answer.json()
    return refusal


async def test_a_new_price_is_charged_by_the_next_order(known: Known) -> None:
    await known.sql("UPDATE items SET price = 77 WHERE tenant_id = $1 AND id = $2", known.service_id)
    assert (await known.place("11:00")).json()["data"]["total"] == 77


async def test_a_providers_own_price_and_duration_count_for_the_next_order(known: Known) -> None:
    await known.sql(
        "UPDATE staff_services SET price = 66, duration = 45 WHERE tenant_id = $1 AND staff_id = $2", known.staff_id
    )
    placed = (await known.place("11:00")).json()["data"]
    booking = (await known.salon.read(placed["id"]))["bookings"][0]
    lasted = datetime.fromisoformat(booking["end"]) - datetime.fromisoformat(booking["start"])
    assert (placed["total"], lasted) == (66, timedelta(minutes=45))


async def test_what_is_no_longer_sold_is_refused_by_the_next_order(known: Known) -> None:
    await known.sql("UPDATE items SET status = false WHERE tenant_id = $1 AND id = $2", known.service_id)
    assert (await _refused(known, "11:00"))["errors"] == {"items.0.id": ["is not available for sale"]}
    availability = {"service_id": str(known.service_id), "date": str(day(_DAY))}
    offered = assert_error(await known.salon.shop.post("/availability", availability), 422, "validation_error")
    assert offered["errors"] == {"service_id": ["is not available for sale"]}


async def test_inactive_staff_get_no_more_orders(known: Known) -> None:
    await known.sql("UPDATE staff SET active = false WHERE tenant_id = $1 AND id = $2", known.staff_id)
    assert "items.0.staff_id" in (await _refused(known, "11:00"))["errors"]
    answer = await known.salon.shop.post(
        "/availability", {"service_id": str(known.service_id), "date": str(day(_DAY)), "staff_id": str(known.staff_id)}
    )
    assert answer.status_code == 422


async def test_staff_without_the_service_get_no_more_orders(known: Known) -> None:
    await known.sql("DELETE FROM staff_services WHERE tenant_id = $1 AND staff_id = $2", known.staff_id)
    assert "items.0.staff_id" in (await _refused(known, "11:00"))["errors"]


@pytest.mark.parametrize("closing", ["own hours", "hours of the branch", "an interval", "a closed day", "time off"])
async def test_a_changed_calendar_counts_for_the_next_question_and_the_next_order(known: Known, closing: str) -> None:
    salon, on = known.salon, day(_DAY)
    changes: dict[str, Callable[[], Awaitable[Any]]] = {
        "own hours": lambda: salon.set_hours({}, staff_id=known.staff_id),
        "hours of the branch": lambda: salon.set_hours({}),
        "an interval": lambda: known.sql("UPDATE working_intervals SET closes = 600 WHERE tenant_id = $1"),
        "a closed day": lambda: salon.close(on),
        "time off": lambda: salon.take_off(known.staff_id, local(on, "10:00"), local(on, "18:00")),
    }
    assert "11:00" in await known.starts()
    await changes[closing]()
    assert "11:00" not in await known.starts()
    refusal = await _refused(known, "11:00")
    assert refusal["error"] == "timeslot_unavailable"
    assert refusal["details"]["reason"] == ("time_off" if closing == "time off" else "outside_working_hours")


async def test_time_off_that_was_taken_back_is_offered_again(known: Known) -> None:
    await known.salon.take_off(known.staff_id, local(day(_DAY), "10:00"), local(day(_DAY), "18:00"))
    assert "11:00" not in await known.starts()
    await known.sql("DELETE FROM time_off WHERE tenant_id = $1")
    assert "11:00" in await known.starts()
    assert (await known.place("11:00")).status_code == 201


async def test_a_payment_method_that_was_switched_off_is_not_found_by_the_next_order(known: Known) -> None:
    await known.sql("UPDATE payment_methods SET active = false WHERE tenant_id = $1 AND id = $2", UUID(known.method_id))
    assert (await _refused(known, "11:00"))["error"] == "payment_method_not_found"


async def test_a_customer_who_was_blocked_is_refused_though_nothing_of_them_was_asked(known: Known) -> None:
    await known.sql("UPDATE customers SET blocked = true WHERE tenant_id = $1 AND id = $2", known.salon.customer_id)
    assert (await _refused(known, "11:00"))["errors"] == {"customer_id": ["is blocked by the business"]}
    await known.sql("UPDATE customers SET blocked = false WHERE tenant_id = $1 AND id = $2", known.salon.customer_id)
    assert (await known.place("11:00")).status_code == 201


async def test_a_customer_who_is_unknown_is_refused_with_what_else_is_wrong(known: Known) -> None:
    body = {**known.order("11:00"), "customer_id": str(known.staff_id)}
    answer = await known.salon.shop.post("/orders", body)
    assert answer.json()["errors"] == {"customer_id": ["is not a customer of this business"]}
    body["items"] = [{**body["items"][0], "staff_id": str(known.salon.customer_id)}]
    answer = await known.salon.shop.post("/orders", body)
    assert set(answer.json()["errors"]) == {"customer_id", "items.0.staff_id"}


async def test_a_time_that_is_taken_is_refused_with_the_nearest_that_are_free(known: Known) -> None:
    refusal = await _refused(known, "09:30")
    assert (refusal["error"], refusal["details"]["reason"]) == ("timeslot_unavailable", "booked")
    assert refusal["details"]["alternatives"][0]["start"].endswith("T10:30:00")


async def test_an_order_that_runs_over_midnight_in_utc_is_checked_on_both_days(known: Known) -> None:
    """Three in the morning in Riyadh is midnight in UTC."""
    await known.salon.set_hours({}, staff_id=known.staff_id, all_time=True)
    for at in ("02:45", "05:00"):
        assert (await known.place(at)).status_code == 201
    for at in ("02:30", "02:45", "03:00"):
        assert (await _refused(known, at))["details"]["reason"] == "booked"
    assert (await known.place("03:15")).status_code == 201


async def test_time_that_was_freed_or_taken_behind_our_back_counts_for_the_next_question(known: Known) -> None:
    assert "09:00" not in await known.starts()
    await known.sql("UPDATE bookings SET live = false WHERE tenant_id = $1 AND staff_id = $2", known.staff_id)
    assert "09:00" in await known.starts()
    assert (await known.place("09:00")).status_code == 201
    assert "09:00" not in await known.starts()
    assert "09:30" in await known.starts()


async def test_what_is_kept_of_one_provider_is_not_taken_for_another(known: Known) -> None:
    """Same hours, same service, same week: only what they have booked tells them apart."""
    other = known._replace(staff_id=await known.salon.add_provider(known.service_id))
    for _ in range(3):
        assert "09:00" not in await known.starts()
        assert "09:00" in await other.starts()
    for _ in range(2):
        assert "09:00" in await known.salon.starts(known.service_id, day(_DAY))
    for at in ("09:00", "09:30", "10:00"):
        assert (await other.place(at)).status_code == 201
    assert "09:00" not in await known.salon.starts(known.service_id, day(_DAY))


async def test_of_two_businesses_each_has_its_own_in_mind(known: Known, service: Service) -> None:
    salon = await open_salon(await service.new_shop())
    cut = await salon.add_service(price="12")
    other = Known(salon, cut, await salon.add_provider(cut), await method_of(salon.shop))
    for _ in range(2):
        assert "09:00" not in await known.starts()
        assert "09:00" in await other.starts()
    answer = await other.salon.shop.post("/orders", known.order("11:00"))
    assert answer.status_code == 422
    assert (await other.place("11:00")).json()["data"]["total"] == 12


async def test_selling_stock_changes_no_edition(known: Known) -> None:
    cream = await known.salon.add_product()
    (before,) = await known.sql("SELECT edition FROM tenants WHERE id = $1")
    await known.salon.place(line(cream, "product", 3))
    assert await known.sql("SELECT edition FROM tenants WHERE id = $1") == [before]


def _client(shop: Shop) -> UUID:
    names = parse_client_id(shop.sandbox.client_id)
    assert names is not None
    return names[1]


async def test_a_token_that_was_revoked_places_nothing(known: Known) -> None:
    shop = known.salon.shop
    token = await shop.token()
    kept = await books(shop)
    await known.sql(
        "UPDATE access_tokens SET revoked_at = now() WHERE tenant_id = $1 AND token_hash = $2", hash_secret(token)
    )
    assert (await known.place("11:00")).status_code == 401
    assert await books(shop) == kept


async def test_a_scope_that_was_taken_places_nothing(known: Known) -> None:
    shop = known.salon.shop
    kept = await books(shop)
    await known.sql(
        "UPDATE api_clients SET scopes = '{orders:read}' WHERE tenant_id = $1 AND id = $2",
        _client(shop),
    )
    assert (await known.place("11:00")).status_code == 403
    assert await books(shop) == kept


async def test_the_minute_that_is_used_up_takes_back_what_was_written_for_it(known: Known) -> None:
    shop = known.salon.shop
    client = _client(shop)
    (used,) = await known.sql("SELECT used FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", client)
    await known.sql("UPDATE api_clients SET rate_limit = $3 WHERE tenant_id = $1 AND id = $2", client, used["used"] + 3)
    assert [(await known.place(at)).status_code for at in ("11:00", "11:30", "12:00")] == [201, 201, 201]
    kept = await books(shop)
    refusal = await known.place("12:30")
    assert (refusal.status_code, refusal.json()["error"]) == (429, "rate_limit_exceeded")
    assert await books(shop) == kept
    await known.sql("UPDATE api_clients SET rate_limit = 100000 WHERE tenant_id = $1 AND id = $2", client)
    await known.sql("DELETE FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", client)


# Whatever the books are read from publishes an edition when it changes, or is read anew each time.
_READ_EACH_TIME = {"customers", "staff_busy_days", "tenants"}


class _Plan(msgspec.Struct, rename={"relation": "Relation Name", "plans": "Plans"}):
    relation: str | None = None
    plans: list["_Plan"] = []

    def tables(self) -> set[str]:
        return {self.relation or ""}.union(*(plan.tables() for plan in self.plans)) - {""}


class _Explained(msgspec.Struct, rename={"plan": "Plan"}):
    plan: _Plan


class _Explaining(Connection):
    """Runs what it is given, and notes which tables that reads."""

    __slots__ = ("raw", "tables")

    def __init__(self, raw: Any) -> None:
        super().__init__(raw)
        self.raw = raw
        self.tables: set[str] = set()

    async def fetch(self, sql: str, *args: object) -> Any:
        await self._note(sql, *args)
        return await super().fetch(sql, *args)

    async def fetchval(self, sql: str, *args: object) -> Any:
        await self._note(sql, *args)
        return await super().fetchval(sql, *args)

    async def _note(self, sql: str, *args: object) -> None:
        text = await self.raw.fetchval(f"EXPLAIN (FORMAT JSON) {sql}", *args)
        self.tables |= msgspec.json.decode(text, type=list[_Explained])[0].plan.tables()


async def test_every_table_that_is_kept_in_mind_publishes_an_edition(known: Known) -> None:
    business = await known.salon.shop.tenant()
    wanted = OrderLineRequest(known.service_id, LineType.SERVICE, 1, known.staff_id, option_ids=(known.service_id,))
    payment = PaymentRequest(1, UUID(known.method_id), "cash", None, None, None)  # type: ignore[arg-type]
    asked = OrderRequest(
        known.salon.branch_id, known.salon.customer_id, None, [wanted], None, [payment], Source.API, Actor("app", None)
    )
    window = window_of(get_zone("Asia/Riyadh"), day(_DAY), 1, 60)
    raw = await connect(known.salon.shop.dsn)
    try:
        conn = _Explaining(raw)
        await get_order_context(conn, business, asked)
        await get_service(conn, business.tenant_id, known.service_id, None, window, datetime.now(RIYADH))
        await list_providers(conn, business.tenant_id, [known.staff_id], window, datetime.now(RIYADH))
        rows = await raw.fetch(
            """
            SELECT tgrelid::regclass::text AS name, count(*) AS many FROM pg_trigger
            WHERE tgname LIKE 'publish\\_%' GROUP BY tgrelid
            """
        )
    finally:
        await raw.close()
    publishing = {row["name"] for row in rows if row["many"] == 2}  # rows that come or go, and rows that change
    assert conn.tables >= {"items", "item_options", "packages", "staff", "payment_methods", "installs", "time_off"}
    assert conn.tables - _READ_EACH_TIME == publishing & conn.tables


async def test_an_edition_is_published_at_the_commit_and_not_with_what_is_rolled_back(known: Known) -> None:
    raw = await connect(known.salon.shop.dsn)
    tenant_id = known.salon.shop.tenant_id

    async def edition() -> int:
        found: int = await raw.fetchval("SELECT edition FROM tenants WHERE id = $1", tenant_id)
        return found

    async def touch(price: int) -> None:
        await raw.execute(
            "UPDATE items SET price = $3 WHERE tenant_id = $1 AND id = $2", tenant_id, known.service_id, price
        )

    before = await edition()
    async with raw.transaction():
        await touch(31)
        await touch(32)
        assert await edition() == before
    first = await edition()
    await touch(33)
    settled = await edition()
    assert len({before, first, settled}) == 3
    async with raw.transaction():
        undone = raw.transaction()
        await undone.start()
        await touch(34)
        await undone.rollback()
    assert await edition() == settled
    await raw.close()
