"""Each fault strikes again and again under a load of all surfaces: nothing that was acknowledged is lost."""

import time

import pytest

from tests.faults.conclude import conclude
from tests.faults.faults import FAULTS, Fault
from tests.faults.installation import running_installation
from tests.faults.load import running_load
from tests.support.repetitions import LONG_SECONDS

pytestmark = [
    pytest.mark.torture,
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` breaks installations"),
    pytest.mark.timeout(900),
]
SECONDS = LONG_SECONDS / 15  # for each fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.strike.__name__)
async def test_nothing_acknowledged_is_lost(fault: Fault) -> None:
    async with running_installation(small_disk=fault.small_disk, has_clock=fault.has_clock) as site:
        async with running_load(site) as load:
            runs, end = 0, time.monotonic() + SECONDS
            while time.monotonic() < end:
                await fault.strike(site, load)
                runs += 1
                await load.go_on()
        await conclude(load, fault.name, runs)
