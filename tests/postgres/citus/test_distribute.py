"""What can be shown of a distributed database without a cluster. tests/distributed has the rest."""

import asyncio

import pytest

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import KEYS_TABLE, ROOT_TABLE, is_distributed
from frontdesk.postgres.citus.distribute import COORDINATOR_TABLES, REFERENCE_TABLES, tenant_tables
from frontdesk.postgres.pool import citus_address, connect
from tests.architecture.test_rules import SHARED_TABLES
from tests.docs_site.distributed_guide import commands
from tests.support.programs.commands import invoke
from tests.support.service import Service, running_service
from tests.support.shop import Shop


def test_every_platform_table_has_its_nodes() -> None:
    placed = [ROOT_TABLE, *REFERENCE_TABLES, *COORDINATOR_TABLES]
    assert sorted(placed) == sorted(SHARED_TABLES)


async def test_every_table_is_placed_once(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    rows = await raw.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    placed = [ROOT_TABLE, *REFERENCE_TABLES, *COORDINATOR_TABLES, *await tenant_tables(raw)]
    await raw.close()
    assert sorted(placed) == sorted(row["tablename"] for row in rows)


async def test_without_the_extension_the_command_says_what_to_do(empty_dsn: str) -> None:
    given = {"FRONTDESK_DATABASE_URL": empty_dsn}
    outcome = await asyncio.to_thread(invoke, ["distribute"], given)
    assert (outcome.exit_code, outcome.stderr.count("\n")) == (2, 1)
    assert outcome.stderr.startswith("frontdesk: the database has no Citus extension: run CREATE EXTENSION citus")


async def test_a_database_that_is_half_distributed_is_not_served(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    await raw.execute(f"CREATE TABLE {KEYS_TABLE} ()")  # as an interrupted command leaves it
    await raw.close()
    outcome = await asyncio.to_thread(invoke, ["migrate"], {"FRONTDESK_DATABASE_URL": empty_dsn})
    assert (outcome.exit_code, outcome.stderr.count("\n")) == (2, 1)
    assert outcome.stderr.startswith("frontdesk: the database is being distributed: wait for `frontdesk distribute`")


@pytest.mark.parametrize("command", [line for line in commands() if line.startswith("frontdesk cluster")])
async def test_an_ordinary_database_has_no_nodes(dsn: str, command: str) -> None:
    """Every command of the guide."""
    given = {"FRONTDESK_DATABASE_URL": dsn}
    outcome = await asyncio.to_thread(invoke, command.split()[1:], given)
    refusal = "frontdesk: the database is not distributed: `frontdesk distribute` does that\n"
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (2, "", refusal)


async def test_the_embedded_database_cannot_be_distributed() -> None:
    outcome = await asyncio.to_thread(invoke, ["distribute"], {})
    assert outcome.exit_code == 2
    assert "set FRONTDESK_DATABASE_URL to a Citus coordinator" in outcome.stderr


async def test_a_table_of_a_later_migration_stays_where_nothing_is_distributed(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    await raw.execute("CREATE TABLE later (tenant_id uuid PRIMARY KEY); SELECT distribute_table('later')")
    assert not await is_distributed(raw)
    await raw.close()


def test_the_setting_names_the_engine_and_needs_an_address() -> None:
    url = {"FRONTDESK_DATABASE_URL": "postgresql://coordinator/frontdesk"}
    assert not read_settings(url).is_distributed
    assert read_settings({**url, "FRONTDESK_DISTRIBUTED": "citus"}).is_distributed
    with pytest.raises(StartupError, match="FRONTDESK_DISTRIBUTED is 'yes': set it to citus, or remove it"):
        read_settings({**url, "FRONTDESK_DISTRIBUTED": "yes"})
    with pytest.raises(StartupError, match="needs FRONTDESK_DATABASE_URL"):
        read_settings({"FRONTDESK_DISTRIBUTED": "citus"})


async def test_options_of_the_address_replace_the_defaults_of_a_connection(dsn: str) -> None:
    raw = await connect(citus_address(f"{dsn}&options=-c%20lock_timeout%3D7s"))
    shown = [await raw.fetchval(f"SHOW {name}") for name in ("plan_cache_mode", "lock_timeout", "jit")]
    await raw.close()
    assert shown == ["auto", "7s", "off"]


async def test_responses_are_the_same_when_authentication_is_a_statement_of_its_own(
    service: Service, shop: Shop
) -> None:
    async with running_service(service.dsn, is_distributed=True) as distributed:
        same = Shop(distributed.origin, service.dsn, shop.sandbox, distributed.http)
        for path in ("/orders", "/orders?payment_status=paid", "/items", "/customers", "/webhooks", "/events"):
            plain = await shop.get(path)
            assert plain.status_code == 200, path
            assert (await same.get(path)).json()["data"] == plain.json()["data"], path
        for path in ("/pos/orders", "/tags?model=customers"):
            plain = await shop.key_call("GET", path)
            assert (await same.key_call("GET", path)).json()["data"] == plain.json()["data"], path
        unknown = await same.get("/orders", token="unknown")
        assert unknown.status_code == 401


async def test_shards_are_no_tables_of_a_sandbox(empty_dsn: str) -> None:
    """On the node of a sandbox they are beside the tables; a reset would delete what it leaves alone."""
    raw = await connect(empty_dsn)
    await raw.execute("CREATE TABLE activity_102008 (tenant_id uuid NOT NULL)")
    names = {row[0] for row in await raw.fetch("SELECT name FROM sandbox_tables()")}
    await raw.close()
    assert "orders" in names
    assert names & {"activity", "activity_102008"} == set()
