"""A sandbox holds what is promised of it, and breaks no rule that a real business keeps."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.auth.credentials import parse_client_id, tenant_of_key
from frontdesk.demo_data.create import Sandbox, create_sandbox
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.passwords import verify_password
from frontdesk.security.secrets import hash_secret
from frontdesk.values.phones import parse_phone
from frontdesk.values.text import search_key
from tests.demo_data.rules import RULES, find_broken_rules, list_breaking
from tests.support.service import Service

TUESDAY_AFTERNOON = datetime(2027, 3, 9, 13, 20, tzinfo=UTC)
HOURS = {
    "tuesday afternoon": TUESDAY_AFTERNOON,
    "friday, closed": datetime(2027, 3, 12, 9, 0, tzinfo=UTC),
    "in the night": datetime(2027, 3, 14, 0, 5, tzinfo=UTC),
    "on the stroke of opening": datetime(2027, 3, 13, 7, 0, tzinfo=UTC),
    "around the year's end": datetime(2026, 12, 31, 21, 30, tzinfo=UTC),
}


@pytest.fixture(scope="module")
async def sandbox(dsn: str) -> Sandbox:
    """One for all that only look."""
    raw = await connect(dsn)
    made = await create_sandbox(Connection(raw), now=TUESDAY_AFTERNOON)
    await raw.close()
    return made


@pytest.fixture
async def empty(empty_dsn: str) -> AsyncIterator[Connection]:
    raw = await connect(empty_dsn)
    yield Connection(raw)
    await raw.close()


@pytest.mark.parametrize("now", HOURS.values(), ids=HOURS.keys())
async def test_a_sandbox_breaks_no_rule_whenever_it_is_made(conn: Connection, now: datetime) -> None:
    sandbox = await create_sandbox(conn, now=now)
    assert await find_broken_rules(conn, sandbox.tenant_id, now) == {}


@pytest.mark.parametrize("zone", ["Africa/Cairo", "Africa/Casablanca", "America/Edmonton", "Pacific/Kiritimati"])
async def test_a_sandbox_breaks_no_rule_in_other_time_zones(conn: Connection, zone: str) -> None:
    """In April 2027 the clocks of Cairo change, in March those of Edmonton would have."""
    now = datetime(2027, 4, 20, 13, 20, tzinfo=UTC)
    sandbox = await create_sandbox(conn, now=now, timezone=zone)
    assert sandbox.timezone == zone
    assert await conn.fetchval("SELECT timezone FROM tenants WHERE id = $1", sandbox.tenant_id) == zone
    assert await find_broken_rules(conn, sandbox.tenant_id, now) == {}


async def test_each_rule_notices_when_it_is_broken(empty: Connection) -> None:
    now = TUESDAY_AFTERNOON
    sandbox = await create_sandbox(empty, now=now)
    await empty.execute("SET statement_timeout = 0; ANALYZE")  # the rules join tables that were empty a moment ago
    unnoticed = []
    for name, rule in RULES.items():
        undo = empty.transaction()
        await undo.start()
        await empty.execute(rule.damage)
        if not await list_breaking(empty, rule, sandbox.tenant_id, now):
            unnoticed.append(name)
        await undo.rollback()
    assert unnoticed == []


async def test_a_sandbox_is_one_business_with_one_store(conn: Connection, sandbox: Sandbox) -> None:
    tenant = await conn.fetchrow("SELECT * FROM tenants WHERE id = $1", sandbox.tenant_id)
    assert tenant is not None
    assert (tenant["timezone"], tenant["currency"], tenant["languages"]) == ("Asia/Riyadh", "SAR", ["ar", "en"])
    assert (tenant["currency_decimals"], tenant["plan"], tenant["is_sandbox"]) == (2, "professional", True)
    assert (sandbox.timezone, sandbox.currency) == ("Asia/Riyadh", "SAR")
    assert await _count(conn, sandbox, "branches") == 1


async def test_a_sandbox_sells_services_products_and_a_package(conn: Connection, sandbox: Sandbox) -> None:
    items = await conn.fetch(
        """
        SELECT i.*, count(o.id) AS options FROM items i
        LEFT JOIN item_options o ON (o.tenant_id, o.item_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 GROUP BY i.tenant_id, i.id
        """,
        sandbox.tenant_id,
    )
    services = [item for item in items if item["type"] == "service"]
    products = [item for item in items if item["type"] == "product"]
    assert len(services) >= 6
    assert sum(item["options"] > 0 for item in services) == 1
    assert min(len({item[column] for item in services}) for column in ("duration", "price", "offer_price")) >= 3
    assert sorted(item["stock"] for item in products) == [20, 500, 500, 500, 500, 500]
    assert sum(item["options"] > 0 for item in products) == 1
    assert all(item["category_id"] for item in items)
    assert await _count(conn, sandbox, "categories") == 3
    assert await _count(conn, sandbox, "packages") == 1
    contents = await conn.fetch(
        """
        SELECT i.type FROM package_items p JOIN items i ON (i.tenant_id, i.id) = (p.tenant_id, p.item_id)
        WHERE p.tenant_id = $1
        """,
        sandbox.tenant_id,
    )
    assert sorted(row["type"] for row in contents) == ["product", "service"]


async def test_every_option_says_what_makes_it_different(conn: Connection, sandbox: Sandbox) -> None:
    bare = await conn.fetch(
        """
        SELECT o.name FROM item_options o
        LEFT JOIN item_option_values v ON (v.tenant_id, v.option_id) = (o.tenant_id, o.id)
        LEFT JOIN option_values x ON (x.tenant_id, x.id) = (v.tenant_id, v.option_value_id) AND x.item_id = o.item_id
        WHERE o.tenant_id = $1 AND x.id IS NULL
        """,
        sandbox.tenant_id,
    )
    assert bare == []
    assert await _count(conn, sandbox, "item_options") == 5


async def test_four_providers_work_by_three_different_rules(conn: Connection, sandbox: Sandbox) -> None:
    staff = await conn.fetch(
        """
        SELECT s.id, count(*) AS services, count(p.price) AS prices, count(p.duration) AS durations,
               (SELECT array_agg(DISTINCT w.day ORDER BY w.day) FROM working_hours h
                JOIN working_intervals w ON (w.tenant_id, w.working_hour_id) = (h.tenant_id, h.id)
                WHERE h.tenant_id = s.tenant_id AND h.staff_id = s.id) AS days
        FROM staff s JOIN staff_services p ON (p.tenant_id, p.staff_id) = (s.tenant_id, s.id)
        WHERE s.tenant_id = $1 GROUP BY s.tenant_id, s.id
        """,
        sandbox.tenant_id,
    )
    store = await conn.fetch(
        """
        SELECT w.day, count(*) AS intervals FROM working_hours h
        JOIN working_intervals w ON (w.tenant_id, w.working_hour_id) = (h.tenant_id, h.id)
        WHERE h.tenant_id = $1 AND h.branch_id IS NOT NULL GROUP BY w.day ORDER BY w.day
        """,
        sandbox.tenant_id,
    )
    assert [row["day"] for row in store] == [0, 1, 2, 3, 4, 6]
    assert {row["intervals"] for row in store} == {1, 2}
    assert len(staff) == 4
    assert all(provider["services"] >= 3 for provider in staff)
    staff_hours = [provider for provider in staff if provider["days"]]
    own_terms = [provider for provider in staff if provider["prices"] or provider["durations"]]
    assert [provider["days"] for provider in staff_hours] == [[0, 2, 3, 4, 6]]
    assert [(p["prices"] == p["services"], p["durations"] == p["services"], p["days"]) for p in own_terms] == [
        (True, True, None)
    ]


async def test_a_sandbox_takes_cash_card_transfer_and_an_application(conn: Connection, sandbox: Sandbox) -> None:
    methods = await conn.fetch(
        """
        SELECT m.type, a.status, i.disconnected_at, c.scopes FROM payment_methods m
        LEFT JOIN installs i ON (i.tenant_id, i.id) = (m.tenant_id, m.install_id)
        LEFT JOIN applications a ON a.id = i.application_id
        LEFT JOIN api_clients c ON (c.tenant_id, c.install_id) = (i.tenant_id, i.id)
        WHERE m.tenant_id = $1 AND m.active
        """,
        sandbox.tenant_id,
    )
    assert sorted(method["type"] for method in methods) == ["bank_transfer", "card", "cash", "third-party"]
    [installed] = [method for method in methods if method["type"] == "third-party"]
    assert (installed["status"], installed["disconnected_at"]) == ("approved", None)
    assert "transactions:write" in installed["scopes"]
    assert all(method["status"] is None for method in methods if method is not installed)
    assert await _count(conn, sandbox, "cashiers") == 1


async def test_the_customers_are_of_every_kind_and_can_be_found(conn: Connection, sandbox: Sandbox) -> None:
    customers = await conn.fetch("SELECT * FROM customers WHERE tenant_id = $1", sandbox.tenant_id)
    assert len(customers) == 30
    for customer in customers:
        assert parse_phone(customer["phone"], customer["phone_country"]) == customer["phone"]
        assert customer["phone"].startswith("+9665")
        names = [customer["first_name"], customer["last_name"]]
        assert customer["name_search"] == search_key(" ".join(name for name in names if name))
        assert (customer["type"] == "company") == (customer["tax_registration_number"] is not None)
    assert sum(customer["blocked"] for customer in customers) == 1
    assert {customer["type"] for customer in customers} == {"individual", "company"}
    assert 0 < sum(customer["email"] is None for customer in customers) < 15
    assert any(c["last_name"] is None for c in customers if c["type"] == "individual")
    known = [(customer["birthday"], customer["allergies"], customer["favorite_staff_id"]) for customer in customers]
    assert [sum(value is not None for value in column) for column in zip(*known, strict=True)] == [4, 2, 3]
    assert await _count(conn, sandbox, "tags") == 2
    tagged = await conn.fetchval(
        "SELECT count(DISTINCT tag_id) FROM customer_tags WHERE tenant_id = $1", sandbox.tenant_id
    )
    assert tagged == 2


async def test_items_staff_and_tags_can_be_searched_in_folded_form(conn: Connection, sandbox: Sandbox) -> None:
    items = await conn.fetch(
        "SELECT name ->> 'ar' AS ar, name ->> 'en' AS en, name_search FROM items WHERE tenant_id = $1",
        sandbox.tenant_id,
    )
    staff = await conn.fetch("SELECT name, name_search FROM staff WHERE tenant_id = $1", sandbox.tenant_id)
    tags = await conn.fetch("SELECT name, name_folded FROM tags WHERE tenant_id = $1", sandbox.tenant_id)
    assert all(item["name_search"] == search_key(f"{item['ar']}\n{item['en']}") for item in items)
    assert all(name_search == search_key(name) for name, name_search in [*staff, *tags])


async def test_the_weeks_around_now_show_something_everywhere(conn: Connection, sandbox: Sandbox) -> None:
    now = TUESDAY_AFTERNOON
    orders = await conn.fetch("SELECT * FROM orders WHERE tenant_id = $1", sandbox.tenant_id)
    assert 120 <= len(orders) <= 180
    assert {order["source"] for order in orders} == {"api", "pos", "dashboard", "online"}
    statuses = [order["status"] for order in orders]
    assert set(statuses) == {"draft", "confirmed", "in-progress", "completed", "canceled"}
    assert statuses.count("draft") == 1
    assert statuses.count("completed") > len(orders) / 2
    assert sum(order["parent_id"] is not None for order in orders) == 2
    starts = [order["starts_at"] for order in orders if order["starts_at"]]
    assert min(starts) < now - timedelta(days=18)
    assert max(starts) > now + timedelta(days=10)
    assert any(order["discount_amount"] > 0 for order in orders)
    assert any(0 < order["paid_amount"] < order["total"] for order in orders)
    transactions = await conn.fetch(
        """
        SELECT t.*, m.type FROM transactions t
        JOIN payment_methods m ON (m.tenant_id, m.id) = (t.tenant_id, t.payment_method_id) WHERE t.tenant_id = $1
        """,
        sandbox.tenant_id,
    )
    assert {row["status"] for row in transactions} == {"pending", "confirmed", "refused", "canceled"}
    assert {row["type"] for row in transactions} == {"cash", "card", "bank_transfer", "third-party"}
    assert any(row["is_deposit"] for row in transactions)
    assert any(row["refund_of_id"] for row in transactions)
    sold = await conn.fetch("SELECT DISTINCT type FROM order_lines WHERE tenant_id = $1", sandbox.tenant_id)
    assert {row["type"] for row in sold} == {"service", "product", "package"}


async def test_a_booking_repeats_and_providers_have_tips(conn: Connection, sandbox: Sandbox) -> None:
    repeated = await conn.fetch(
        "SELECT starts_at FROM orders WHERE tenant_id = $1 AND series_id IS NOT NULL ORDER BY starts_at",
        sandbox.tenant_id,
    )
    (first,), (second,) = repeated
    assert (second - first, first > TUESDAY_AFTERNOON) == (timedelta(days=7), True)
    assert await _count(conn, sandbox, "tips") > 5
    assert await _count(conn, sandbox, "drawer_sessions") == 0, "the first thing that a newcomer tries"


async def test_every_provider_has_free_time_in_each_coming_week(conn: Connection, sandbox: Sandbox) -> None:
    now = TUESDAY_AFTERNOON
    busiest = await conn.fetchval(
        """
        SELECT max(minutes) FROM (
            SELECT sum(extract(epoch FROM upper(during) - lower(during)) / 60) AS minutes FROM bookings
            WHERE tenant_id = $1 AND is_active AND lower(during) > $2
            GROUP BY staff_id, date_trunc('week', lower(during))) b
        """,
        sandbox.tenant_id,
        now,
    )
    assert 0 < busiest < 30 * 60


async def test_the_printed_credentials_are_the_stored_ones(conn: Connection) -> None:
    sandbox = await create_sandbox(conn, rate_limit=7, scopes=["orders:read", "items:read"])
    parsed = parse_client_id(sandbox.client_id)
    assert parsed is not None
    client = await conn.fetchrow("SELECT * FROM api_clients WHERE tenant_id = $1 AND id = $2", *parsed)
    key = await conn.fetchrow("SELECT * FROM api_keys WHERE tenant_id = $1", tenant_of_key(sandbox.api_key))
    assert client is not None
    assert key is not None
    assert parsed[0] == sandbox.tenant_id
    assert (client["name"], client["install_id"]) == ("Sandbox client", None)
    assert (client["scopes"], client["rate_limit"]) == (["orders:read", "items:read"], 7)
    assert client["secret_hash"] == hash_secret(sandbox.client_secret)
    assert (key["name"], key["rate_limit"]) == ("Sandbox till", 7)
    assert key["key_hash"] == hash_secret(sandbox.api_key)


async def test_the_owner_can_sign_in(conn: Connection, sandbox: Sandbox) -> None:
    owner = await conn.fetchrow(
        """
        SELECT u.email, u.password_hash, m.role FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1
        """,
        sandbox.tenant_id,
    )
    assert owner is not None
    assert (owner["email"], owner["role"]) == (sandbox.email, "owner")
    assert await verify_password(sandbox.password, owner["password_hash"])


async def test_without_a_wish_the_client_may_do_everything_at_the_usual_rate(conn: Connection) -> None:
    sandbox = await create_sandbox(conn, plan="starter")
    client = await conn.fetchrow(
        "SELECT * FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL", sandbox.tenant_id
    )
    assert client is not None
    assert (client["scopes"], client["rate_limit"]) == (["*"], None)
    assert await conn.fetchval("SELECT plan FROM tenants WHERE id = $1", sandbox.tenant_id) == "starter"


async def test_a_scope_that_does_not_exist_makes_no_sandbox(empty: Connection) -> None:
    with pytest.raises(ValueError, match="orders:eat"):
        await create_sandbox(empty, scopes=["orders:eat"])
    assert await empty.fetchval("SELECT count(*) FROM tenants") == 0


async def test_a_sandbox_that_fails_halfway_leaves_nothing(empty: Connection) -> None:
    await empty.execute("ALTER TABLE refunds ADD CHECK (false)")
    with pytest.raises(Exception, match="refunds"):
        await create_sandbox(empty)
    assert await empty.fetchval("SELECT count(*) FROM tenants") == 0
    assert await empty.fetchval("SELECT count(*) FROM users") == 0


async def test_two_sandboxes_share_the_application_and_nothing_else(empty: Connection) -> None:
    first = await create_sandbox(empty, now=TUESDAY_AFTERNOON)
    orders = await _count(empty, first, "orders")
    second = await create_sandbox(empty, now=TUESDAY_AFTERNOON)
    assert await _count(empty, first, "orders") == orders
    assert await _count(empty, second, "customers") == 30
    assert len({first.client_id, second.client_id, first.api_key, second.api_key}) == 4
    assert len({first.email, second.email, first.password, second.password}) == 4
    assert await empty.fetchval("SELECT count(*) FROM applications") == 1
    assert await empty.fetchval("SELECT count(*) FROM application_scopes") == 5
    assert await empty.fetchval("SELECT count(*) FROM users") == 3
    assert await find_broken_rules(empty, first.tenant_id, TUESDAY_AFTERNOON) == {}


async def test_a_sandbox_is_created_in_few_statements(conn: Connection) -> None:
    statements = conn.statements
    await create_sandbox(conn)
    assert conn.statements - statements <= 50


async def _count(conn: Connection, sandbox: Sandbox, table: str) -> int:
    count: int = await conn.fetchval(f"SELECT count(*) FROM {table} WHERE tenant_id = $1", sandbox.tenant_id)
    return count


async def test_the_newest_customers_of_a_sandbox_are_not_blocked(service: Service) -> None:
    """The list of customers begins with them, and a person who tries a booking takes the first."""
    shop = await service.new_shop()
    rows = await shop.sql("SELECT blocked FROM customers WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 5")
    assert [row["blocked"] for row in rows] == [False] * 5
