"""Two branches are closed at the same moment: the last active one stays open."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from frontdesk.postgres.act import Act
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.tenants.branches import ChangeBranch, SetBranchActive
from frontdesk.tenants.problems import BranchProblem
from tests.factories.catalog import make_branch
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture

EVERY_BRANCH = "SELECT FROM branches FOR NO KEY UPDATE"
Close = Callable[[UUID], Act[Any]]


def on_the_page(branch_id: UUID) -> SetBranchActive:
    return SetBranchActive(branch_id, active=False)


def by_api(branch_id: UUID) -> ChangeBranch:
    return ChangeBranch(branch_id, {"status": False})


async def close_both(locks: LockFixture, race: RaceFixture, close: Close) -> list[BaseException | None]:
    """Both have seen the other one open before either is closed. Returns their errors."""
    for branch in await race.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND NOT status"):
        await run(locks.command, race.tenant, SetBranchActive(branch["id"], active=True), actor=SYSTEM)
    branches = await race.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 ORDER BY id")
    async with locks.holding(EVERY_BRANCH):
        closing = [
            asyncio.create_task(run(writer, race.tenant, close(branch["id"]), actor=SYSTEM))
            for writer, branch in zip(locks.writers, branches, strict=True)
        ]
    outcomes = await asyncio.gather(*closing, return_exceptions=True)
    return [outcome if isinstance(outcome, BaseException) else None for outcome in outcomes]


async def test_of_two_branches_that_are_closed_at_once_one_stays_open(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    await make_branch(race.shop)
    async with open_lock_fixture(empty_dsn) as locks:
        for close in (on_the_page, by_api):
            refused = [outcome for outcome in await close_both(locks, race, close) if outcome is not None]
            assert [outcome.kind for outcome in refused if isinstance(outcome, Problem)] == [
                BranchProblem.ONLY_ACTIVE_ONE
            ], refused
            assert len(refused) == 1


async def test_without_the_lock_no_branch_stays_open(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    await make_branch(race.shop)
    async with open_lock_fixture(empty_dsn) as locks:
        await change_function(locks.command, "lock_branches_to_close", "FOR NO KEY UPDATE", "")
        for close in (on_the_page, by_api):
            assert await close_both(locks, race, close) == [None, None]
