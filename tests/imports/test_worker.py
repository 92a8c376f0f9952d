"""The worker of imports: who submits a table does not wait until it polls."""

import re
from contextlib import AsyncExitStack

import pytest

from frontdesk.imports import worker
from frontdesk.imports.worker import ImportWorker
from frontdesk.server import app
from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.service import running_service
from tests.support.waiting import eventually
from tests.ui.imports.test_import import settled, upload


async def test_a_submitted_step_does_not_wait_for_a_poll(dsn: str) -> None:
    turns: list[bool] = []

    class CountedWorker(ImportWorker):
        async def work_once(self) -> bool:
            turns.append(await super().work_once())
            return turns[-1]

    async def is_idle() -> bool:
        return bool(turns) and not turns[-1]

    async def took_a_turn() -> bool:
        return len(turns) > before

    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:  # while this service starts; the others keep their intervals
            patch.setattr(app, "ImportWorker", CountedWorker)
            patch.setattr(worker, "POLL_SECONDS", 3600.0)
            service = await stack.enter_async_context(running_service(dsn))
        shop = await service.new_shop()
        desk = await stack.enter_async_context(await dashboard_of(shop, await owner_of(shop)))
        await eventually(is_idle)
        before = len(turns)
        path = (await upload(desk, "name,phone\nSara,0501000041\n")).headers["location"]
        await eventually(took_a_turn)
        version = re.search(r'name="version" value="(\d+)"', await settled(desk, path))
        assert version
        for step, fields in (("run", {"version": version[1]}), ("undo", {})):
            await eventually(is_idle)
            before = len(turns)
            assert (await desk.post(f"{path}/{step}", fields)).status_code == 303
            await eventually(took_a_turn)
            await settled(desk, path)
