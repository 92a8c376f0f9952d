"""Traces by OpenTelemetry: a request with its statements, a webhook, and nothing at all without the setting."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.runtime.tracing import tracing
from frontdesk.server import tracing as setup
from frontdesk.server.otel import OtelTracer
from tests.support.servers.receiver import receiving
from tests.support.service import running_service
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_state

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracer = OtelTracer(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "tracer", tracer)
    yield exporter
    tracer.close()


def about(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


def span_of(request_id: str, found: InMemorySpanExporter) -> ReadableSpan:
    finished = found.get_finished_spans()
    (span,) = [one for one in finished if about(one).get("frontdesk.request_id") == request_id]
    return span


async def test_a_request_is_a_span_with_its_statements_inside(dsn: str, spans: InMemorySpanExporter) -> None:
    async with running_service(dsn) as service:
        shop = await service.new_shop()
        headers = {"authorization": f"Bearer {await shop.token()}", "traceparent": f"00-{TRACE}-{PARENT}-01"}
        answer = await service.http.get("/open-api/v1/branches", headers=headers)
        missing = await service.http.get("/open-api/v1/branches", headers={"traceparent": "nonsense"})
    request = span_of(answer.headers["x-request-id"], spans)
    assert (request.name, about(request)["http.response.status_code"]) == ("GET /open-api/v1/branches", 200)
    assert request.parent is not None
    assert (f"{request.context.trace_id:032x}", f"{request.parent.span_id:016x}") == (TRACE, PARENT)
    statements = [
        one for one in spans.get_finished_spans() if one.parent and one.parent.span_id == request.context.span_id
    ]
    (statement,) = statements
    assert "branches" in statement.name.split()
    assert about(statement)["db.system.name"] == "postgresql"
    refused = span_of(missing.headers["x-request-id"], spans)
    assert (refused.parent, about(refused)["http.response.status_code"]) == (None, 401)


async def test_a_webhook_is_a_trace_of_its_own(empty_dsn: str, spans: InMemorySpanExporter) -> None:
    async with running_service(empty_dsn) as service, receiving() as receiver, running_worker(empty_dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook, 1)
        await wait_for_state(hook, count=1)
    sent = [one for one in spans.get_finished_spans() if one.name == "webhook"]
    assert sent
    assert all(one.parent is None for one in sent)
    assert {about(one)["http.response.status_code"] for one in sent} == {200}
    assert {one.name for one in spans.get_finished_spans()} == {"webhook"}  # nothing of the worker's own statements


def test_nothing_is_imported_without_the_setting() -> None:
    program = "import sys, frontdesk.server.serve; print([name for name in sys.modules if 'opentelemetry' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings({"FRONTDESK_TRACES": "http://127.0.0.1:4318/v1/traces"})
    setup.check_traces(settings)
    monkeypatch.setattr(setup, "_MODULE", "frontdesk.server.not_installed")
    with pytest.raises(StartupError, match=r"^FRONTDESK_TRACES needs OpenTelemetry: pip install 'frontdesk\[otel\]'$"):
        setup.check_traces(settings)
    with pytest.raises(StartupError, match=r"^FRONTDESK_TRACES is '127.0.0.1:4318': set it to "):
        read_settings({"FRONTDESK_TRACES": "127.0.0.1:4318"})
