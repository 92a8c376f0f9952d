"""POST /orders of one tenant with an Idempotency-Key, against the full reference, and the bare one without a key."""

from bench import bounds, requests
from bench.reference.bare import ReferenceTenants
from bench.reference.compare import Calls, Servers, compare
from bench.reference.verify import assert_same_order
from bench.results import Result
from bench.run import Run
from bench.tenants import make_bookable_sandbox
from bench.turns import Call


def measure(run: Run) -> Result:
    # The references have tenants of their own: the service would sum their sales, which they do not do themselves.
    tenants = [run.prepare(make_bookable_sandbox) for _ in range(3)]
    first, second, third = orders = [requests.Orders([tenant]) for tenant in tenants]
    ids = ReferenceTenants(orders=tenants[-1].access.tenant_id)
    with run.service() as service, run.full_reference() as full, run.bare_reference(ids) as bare:
        servers = Servers(service, full, bare)
        assert_same_order(tenants, orders, servers)
        calls = Calls(
            *(
                Call("POST /orders", requests_of, once=True, status=201)
                for requests_of in (first.with_key, second.with_key, third.without_key)
            )
        )
        return compare(run.turns, servers, calls, bounds.ORDERS_OF_FULL)
