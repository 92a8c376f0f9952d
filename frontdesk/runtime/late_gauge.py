"""A metric that is not exported before it has a value, because 0 would be a false reading."""

from functools import cached_property
from typing import Literal

from prometheus_client import Gauge


class LateGauge:
    def __init__(self, name: str, text: str, several: Literal["livemin", "max"]) -> None:
        """`several` says which of the values of several server processes is exported."""
        self._name = name
        self._text = text
        self._several: Literal["livemin", "max"] = several

    def set(self, value: float) -> None:
        self._gauge.set(value)

    @cached_property
    def _gauge(self) -> Gauge:
        return Gauge(self._name, self._text, multiprocess_mode=self._several)
