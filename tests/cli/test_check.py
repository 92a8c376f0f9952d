"""`frontdesk check` reads the data of every business while the service runs."""

from datetime import timedelta

import pytest

from frontdesk.invariants.check import RULES
from frontdesk.postgres.pool import Connection, connect
from tests.cli.test_commands import command, refusal
from tests.factories.changes import age_rows, ago, change_tenant, delete_rows
from tests.factories.installation import insert_later_migration
from tests.factories.orders import make_order
from tests.support.service import running_service

pytestmark = pytest.mark.both_servers


async def test_each_rule_is_counted_and_what_breaks_it_is_named(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        shop, other = await service.new_shop(), await service.new_shop()
        await make_order(shop, 1, paid="5")
        sound = await command(empty_dsn, "check")
        assert (sound.exit_code, sound.stdout.splitlines()) == (0, [f"{0:>8}  {rule}" for rule in RULES])
        assert "businesses: 2" in sound.stderr
        assert sound.stderr.endswith("\nthe data is sound, every rule holds\n")

        await shop.sql("UPDATE orders SET sub_total = sub_total + 1 WHERE tenant_id = $1 AND parent_id IS NULL")
        broken = await command(empty_dsn, "check")
    rule = "no order is without lines, and it adds up to them"
    assert broken.exit_code == 1
    named = {line.partition(": ")[2].rpartition(" (")[0] for line in broken.stdout.splitlines() if "broken in" in line}
    assert broken.stderr.endswith(f"\nthe data is not sound, broken rules: {len(named)} of {len(RULES)}\n")
    assert f"broken in business {shop.tenant_id}: {rule}" in broken.stdout
    assert str(other.tenant_id) not in broken.stdout
    (count,) = [line for line in broken.stdout.splitlines() if line.endswith(f"  {rule}")]
    assert int(count.split()[0]) > 10
    assert broken.stdout.count("    id ") == 10


@pytest.mark.one_server
async def test_events_that_were_deleted_because_of_their_age_are_not_missed(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        for _ in range(3):
            await make_order(shop, 1, paid="5")
        await change_tenant(shop, created_at=ago(days=90))
        for table in ("orders", "order_status_history", "transactions", "events"):
            await age_rows(shop, table, "created_at", by=timedelta(days=31))
        await delete_rows(shop, "order_documents")
        for sequence in (1, 3):
            await delete_rows(shop, "events", sequence=sequence)
        await make_order(shop, 1, paid="5")
        outcome = await command(empty_dsn, "check")
    assert outcome.exit_code == 0, outcome.stdout


@pytest.mark.one_server
async def test_a_database_of_another_version_is_not_checked(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    await insert_later_migration(Connection(raw))
    await raw.close()
    assert "newer" in await refusal(empty_dsn, "check")
