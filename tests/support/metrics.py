"""What a service in the test's own process has counted, as its listener (FRONTDESK_METRICS) would show it."""

import httpx2
from prometheus_client import REGISTRY, generate_latest

from tests.support.shop import NO_CERTIFICATES


async def metric_text(origin: str, name: str) -> str:
    """One metric: to write them all takes as long as the request.

    A request of its own first: by its answer everything before it has been counted.
    """
    async with httpx2.AsyncClient(base_url=origin, timeout=120, verify=NO_CERTIFICATES) as http:
        await http.get("/health/live")
    return generate_latest(REGISTRY.restricted_registry([name])).decode()


def counted(name: str, **labels: str) -> float:
    """The present value of one sample; 0 if there is none yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0
