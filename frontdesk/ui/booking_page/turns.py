"""Pages that search for free times are computed one after the other, so that one business does not stop all others."""

from uuid import UUID

from frontdesk.auth.throttle import raise_if_throttled
from frontdesk.auth.visits import Visits
from frontdesk.net.addresses import address_prefix
from frontdesk.runtime.slow_work import SlowWork
from frontdesk.values.problems import BusyProblem

# An address may look at as many times of one business as a person clicks in a minute. Many people of one mobile network
# share an address.
visits = Visits(burst=60, seconds=0.5)
# Around code that does not wait for anything: between two turns all other requests go on.
COMPUTING = SlowWork(
    "booking_pages",
    slots=1,
    share=1,
    waiting=32,
    limit=10.0,
    busy=BusyProblem.BOOKING_PAGES,
)


def consume_visit(tenant_id: UUID, address: str) -> None:
    raise_if_throttled(visits.consume((tenant_id, address_prefix(address))))
