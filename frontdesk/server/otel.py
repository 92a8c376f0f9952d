"""Sends traces with OpenTelemetry. Imported only if FRONTDESK_TRACES is set: its packages are an extra."""

import time

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from frontdesk import __version__


class OtelTracer:
    """What has ended already gets its times afterwards, so that nothing waits for a trace."""

    def __init__(self, processor: SpanProcessor) -> None:
        resource = Resource.create({"service.name": "frontdesk", "service.version": __version__})
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("frontdesk", __version__)
        self._propagator = TraceContextTextMapPropagator()

    def begin_request(self, traceparent: str | None) -> Span:
        parent = self._propagator.extract({"traceparent": traceparent}) if traceparent else None
        return self._tracer.start_span("request", parent, SpanKind.SERVER)

    def end_request(self, span: Span, route: str, status: int, request_id: str) -> None:
        span.update_name(route)
        span.set_attributes(
            {"http.route": route, "http.response.status_code": status, "frontdesk.request_id": request_id}
        )
        if status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end()

    def add_statement(self, span: Span, name: str, seconds: float) -> None:
        now, parent = time.time_ns(), trace.set_span_in_context(span)
        about = {"db.system.name": "postgresql", "db.query.summary": name}
        began = now - int(seconds * 1e9)
        self._tracer.start_span(name, parent, SpanKind.CLIENT, attributes=about, start_time=began).end(now)

    def add_webhook(self, host: str, seconds: float, status: int | None) -> None:
        """A trace of its own: it is sent later than the request that led to it, and again if it fails."""
        now = time.time_ns()
        began = now - int(seconds * 1e9)
        about = {"server.address": host, "http.request.method": "POST"}
        span = self._tracer.start_span("webhook", None, SpanKind.CLIENT, attributes=about, start_time=began)
        if status is not None:
            span.set_attribute("http.response.status_code", status)
        if status is None or status >= 300:
            span.set_status(Status(StatusCode.ERROR))
        span.end(now)

    def close(self) -> None:
        """Sends what is left."""
        self._provider.shutdown()


def otlp_tracer(endpoint: str) -> OtelTracer:
    exporter: SpanExporter = OTLPSpanExporter(endpoint=endpoint, timeout=5)
    return OtelTracer(BatchSpanProcessor(exporter))
