"""Where traces of requests, statements and webhooks go (FRONTDESK_TRACES). Without a tracer nothing is called."""

from typing import Any, Protocol

from frontdesk.runtime.current_work import current_work


class Tracer(Protocol):
    def begin_request(self, traceparent: str | None) -> Any: ...  # noqa: ANN401 - a span, which only the tracer knows

    def end_request(self, span: Any, route: str, status: int, request_id: str) -> None: ...  # noqa: ANN401

    def add_statement(self, span: Any, name: str, seconds: float) -> None: ...  # noqa: ANN401

    def add_webhook(self, host: str, seconds: float, status: int | None) -> None: ...

    def close(self) -> None: ...


class Tracing:
    tracer: Tracer | None = None


tracing = Tracing()


def trace_statement(name: str, seconds: float) -> None:
    """Of a request only: work in the background asks the database all the time."""
    span = getattr(current_work.get(None), "span", None)
    if tracing.tracer is not None and span is not None:
        tracing.tracer.add_statement(span, name, seconds)
