"""Starts traces, if FRONTDESK_TRACES says where they are sent."""

from importlib import import_module
from typing import Any

from frontdesk.config import Settings
from frontdesk.errors import StartupError
from frontdesk.runtime.tracing import tracing

_MODULE = "frontdesk.server.otel"


def check_traces(settings: Settings) -> None:
    if settings.traces is not None:
        _import()


def start_traces(settings: Settings) -> None:
    if settings.traces is not None:
        tracing.tracer = _import().otlp_tracer(settings.traces)


def _import() -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(_MODULE)
    except ModuleNotFoundError as missing:
        raise StartupError("FRONTDESK_TRACES needs OpenTelemetry: pip install 'frontdesk[otel]'") from missing
