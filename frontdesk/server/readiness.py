"""What /health/ready answers while the database can be used."""

from collections.abc import Sequence
from typing import Any

from prometheus_client import CollectorRegistry


def ready_status(failing: Sequence[str]) -> dict[str, Any]:
    """Names the background tasks that keep failing. The answer stays 200: requests are answered as before, and a load
    balancer that took every server out because mail cannot be sent would turn a small fault into an outage.
    """
    return {"status": "degraded", "failing_tasks": list(failing)} if failing else {"status": "ok"}


def failing_of_all(registry: CollectorRegistry) -> list[str]:
    """The background tasks that keep failing in any server process, from the metrics that all of them write."""
    samples = (sample for metric in registry.collect() for sample in metric.samples)
    found = {s.labels["task"] for s in samples if s.name == "frontdesk_task_failing" and s.value}
    return sorted(found)
