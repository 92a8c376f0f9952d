"""POST /orders of one tenant, with and without an Idempotency-Key, against the reference without one."""

from bench import requests
from bench.reference.app import ReferenceTenants
from bench.reference.verify import assert_same_order
from bench.report import progress
from bench.results import Check, Result, Row
from bench.run import Run
from bench.tenants import make_bookable_sandbox
from bench.turns import Call, Contender

_BOUNDS = {1: 0.4, 8: 0.5}
_WITH_KEY = "service, with a key"


def measure(run: Run) -> Result:
    # The reference has a tenant of its own: the service would sum its sales, which it does not do itself.
    tenant, other = run.prepare(make_bookable_sandbox), run.prepare(make_bookable_sandbox)
    orders, others = requests.Orders([tenant]), requests.Orders([other])
    with_key = Call("POST /orders", orders.with_key, once=True, status=201)
    without_key = Call("POST /orders", orders.without_key, once=True, status=201)
    of_reference = Call("POST /orders", others.without_key, once=True, status=201)
    rows: list[Row] = []
    with run.service() as service, run.reference(ReferenceTenants(orders=tenant.access.tenant_id)) as reference:
        assert_same_order(tenant, orders, service, reference)
    with run.service() as service, run.reference(ReferenceTenants(orders=other.access.tenant_id)) as reference:
        contenders = [
            Contender(_WITH_KEY, service, with_key),
            Contender("service, without a key", service, without_key),
            Contender("reference", reference, of_reference),
        ]
        for callers, bound in _BOUNDS.items():
            rows += run.turns.compare(contenders, callers)
            progress(
                f"POST /orders, {callers} callers: {rows[-3].ratio:.2f} of the reference with a key (bound {bound}), "
                f"{rows[-2].ratio:.2f} without"
            )
    return Result(rows, [_check(row) for row in rows if row.server == _WITH_KEY])


def _check(row: Row) -> Check:
    name = f"POST /orders with a key, {row.callers} callers, of the reference without one"
    return Check(name, row.ratio, _BOUNDS[row.callers], at_least=True)
