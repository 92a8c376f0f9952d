"""The alerts for Prometheus and the dashboard for Grafana in deploy/: they use what is exported, and they fire."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from frontdesk.docs_site.guide_files import guides
from frontdesk.net.listener import bind
from frontdesk.postgres.pool import Pool
from frontdesk.server.cleanup import run_cleanup
from frontdesk.server.metrics import MetricsSource, serving_metrics
from tests.support.programs.commands import free_port
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.faulty_proxy import faulty_proxy
from tests.support.service import Service
from tests.support.waiting import eventually

DEPLOY = Path(__file__).parents[2] / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
DASHBOARD = DEPLOY / "grafana" / "frontdesk.json"
PARTS = ("_bucket", "_sum", "_count")  # of a histogram
NAMES = re.findall(r"- alert: (\w+)", ALERTS.read_text("utf-8"))
# What the alerts see of a service that is well, a sample each minute, beginning in 1970.
WELL = {
    'up{job="frontdesk", instance="desk"}': "1x180",
    'frontdesk_database_up{instance="desk"}': "1x180",
    'frontdesk_write_failures_total{instance="desk", reason="disk_full"}': "3x180",
    'frontdesk_requests_total{instance="desk", route="GET /", status="200"}': "0+6000x180",
    'frontdesk_requests_total{instance="desk", route="GET /", status="500"}': "0+6x180",
    'frontdesk_refusals_total{instance="desk", reason="busy"}': "0+3x180",
    'frontdesk_refusals_total{instance="desk", reason="rate_limit"}': "0+600x180",
    'frontdesk_request_seconds_bucket{instance="desk", route="GET /", le="2"}': "0+6000x180",
    'frontdesk_request_seconds_bucket{instance="desk", route="GET /", le="5"}': "0+6000x180",
    'frontdesk_request_seconds_bucket{instance="desk", route="GET /", le="+Inf"}': "0+6000x180",
    'frontdesk_queue_oldest_seconds{instance="desk", queue="webhooks"}': "500x180",
    'frontdesk_sending_held{instance="desk"}': "0x180",
    'frontdesk_task_failing{instance="desk", task="messages"}': "0x180",
    'frontdesk_cleanup_timestamp_seconds{instance="desk"}': "0+60x180",
    'frontdesk_replicas{job="frontdesk", instance="desk"}': "1x180",
    'frontdesk_replication_lag_seconds{instance="desk"}': "2x180",
    'frontdesk_replication_lag_bytes{instance="desk"}': "4096x180",
    'frontdesk_database_connections{instance="desk"}': "60x180",
    'frontdesk_database_max_connections{instance="desk"}': "100x180",
}
# Changes of these, and the alerts that they lead to.
CASES: list[tuple[dict[str, str], set[str]]] = [
    ({}, set()),
    ({"up": "0x180"}, {"FrontdeskDown"}),
    ({"frontdesk_database_up": "0x180"}, {"FrontdeskDatabaseDown"}),
    ({"frontdesk_write_failures_total": "3+1x180"}, {"FrontdeskCannotWrite"}),
    ({'frontdesk_requests_total{instance="desk", route="GET /", status="500"}': "0+600x180"}, {"FrontdeskFailing"}),
    ({'frontdesk_refusals_total{instance="desk", reason="busy"}': "0+60x180"}, {"FrontdeskRefusing"}),
    ({'frontdesk_request_seconds_bucket{instance="desk", route="GET /", le="2"}': "0+5000x180"}, {"FrontdeskSlow"}),
    ({"frontdesk_queue_oldest_seconds": "601x180"}, {"FrontdeskQueueLate"}),
    ({"frontdesk_queue_oldest_seconds": "601x180", "frontdesk_sending_held": "1x180"}, {"FrontdeskSendingHeld"}),
    ({"frontdesk_task_failing": "1x180"}, {"FrontdeskTaskFailing"}),
    ({"frontdesk_cleanup_timestamp_seconds": "60x180"}, {"FrontdeskCleanupLate"}),
    ({"frontdesk_replication_lag_seconds": "31x180"}, {"FrontdeskReplicaLate"}),
    ({"frontdesk_replication_lag_bytes": "300000000x180"}, {"FrontdeskReplicaLate"}),
    ({"frontdesk_replicas": "1x60 0x119"}, {"FrontdeskReplicaGone"}),
    ({"frontdesk_replicas": "0x180"}, set()),  # there never was one
    ({"frontdesk_database_connections": "91x180"}, {"FrontdeskConnectionsFull"}),
]


async def exported(dsn: str) -> set[str]:
    text = (await asyncio.to_thread(MetricsSource(dsn).read)).decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    parts = {name + part for name, kind in kinds.items() if kind == "histogram" for part in PARTS}
    return {*kinds, *parts}


def used(path: Path) -> set[str]:
    return set(re.findall(r"\bfrontdesk_\w+", path.read_text("utf-8")))


async def test_every_metric_that_is_used_is_exported(service: Service, dsn: str) -> None:
    """Also those that have no value before the first write and the first clean-up."""
    shop = await service.new_shop()
    customer = {"first_name": "Noura", "phone": "+966503456711", "phone_country": "SA"}
    assert (await shop.post("/customers", customer)).status_code == 201
    database = Pool(dsn)
    await run_cleanup(database)
    await database.close()

    async def look() -> set[str]:
        """The database has a second for its answer, in which a busy machine may not run it."""
        found = await exported(dsn)
        return found if "frontdesk_database_connections" in found else set()

    there = await eventually(look)
    for path in (ALERTS, DASHBOARD):
        assert len(used(path)) > 10
        assert used(path) - there == set()


def test_every_alert_links_to_what_is_to_be_done() -> None:
    (guide,) = [guide for guide in guides() if guide.name == "monitoring"]
    anchors = {section.anchor for section in guide.sections}
    links = re.findall(r"runbook_url: https://desk\.example\.com(\S+)#(\S+)", ALERTS.read_text("utf-8"))
    assert [(address, anchor) for address, anchor in links if address != guide.address or anchor not in anchors] == []
    assert len(NAMES) == len(links) == len(set(links))


def test_every_alert_is_tried() -> None:
    assert set().union(*(fired for _, fired in CASES)) == set(NAMES)


def test_the_dashboard_is_one_that_grafana_reads() -> None:
    board = json.loads(DASHBOARD.read_text("utf-8"))
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 15
    assert all(target["expr"] for panel in panels for target in panel["targets"])
    places = [tuple(panel["gridPos"][side] for side in "xywh") for panel in panels]
    covered = [(x + i, y + j) for x, y, w, h in places for i in range(w) for j in range(h)]
    assert len(covered) == len(set(covered))
    assert max(x for x, _ in covered) < 24


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is missing: apt-get install prometheus")
    return found


def _series(changes: dict[str, str]) -> list[dict[str, str]]:
    return [
        {"series": series, "values": changes.get(series, changes.get(series.partition("{")[0], values))}
        for series, values in WELL.items()
    ]


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="it needs promtool, which only `make torture` asks for")
def test_each_alert_fires_for_its_fault_alone(tmp_path: Path) -> None:
    fired = "group by (alertname) (ALERTS{alertstate='firing'})"
    tests = [
        {
            "interval": "1m",
            "input_series": _series(changes),
            "promql_expr_test": [
                {
                    "expr": fired,
                    "eval_time": "150m",
                    "exp_samples": [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(alerts)],
                }
            ],
        }
        for changes, alerts in CASES
    ]
    file = tmp_path / "alerts_test.yml"
    file.write_text(json.dumps({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": tests}))
    done = subprocess.run([_program("promtool"), "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def _prometheus(folder: Path, port: int, scraped: int) -> Iterator[None]:
    """With our sample and our alerts, but looking more often."""
    sample = (DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8")
    for there, new in (
        ("scrape_interval: 15s", "scrape_interval: 5s"),
        ("evaluation_interval: 15s", "evaluation_interval: 1s"),
        ("127.0.0.1:9100", f"127.0.0.1:{scraped}"),
    ):
        assert there in sample
        sample = sample.replace(there, new)
    (folder / "prometheus.yml").write_text(sample)
    shutil.copy(ALERTS, folder)
    command = [_program("prometheus"), f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen([*command, f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
        try:
            yield
        finally:
            running.terminate()
            running.wait()


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="it needs Prometheus, which only `make torture` asks for")
async def test_prometheus_tells_of_a_database_that_hangs_and_of_one_that_is_back(dsn: str, tmp_path: Path) -> None:
    port, metrics = free_port(), free_port()
    async with faulty_proxy(dsn) as proxy, httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:

        async def firing() -> set[str] | None:
            try:
                answer = await http.get("/api/v1/alerts")
                scraped = await http.get("/api/v1/query", params={"query": "frontdesk_build_info"})
            except httpx2.TransportError:
                return None
            if scraped.status_code != 200 or not scraped.json()["data"]["result"]:
                return None  # it starts, and nothing was scraped yet
            alerts = answer.json()["data"]["alerts"]
            return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

        async def fires(names: set[str]) -> bool:
            return await firing() == names

        listener = bind("127.0.0.1", metrics, "another port")
        with serving_metrics(listener, proxy.dsn), _prometheus(tmp_path, port, metrics):
            await eventually(lambda: fires(set()))
            proxy.freeze()
            await eventually(lambda: fires({"FrontdeskDatabaseDown"}))
            proxy.heal()
            await eventually(lambda: fires(set()))
