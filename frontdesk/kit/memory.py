"""What a process keeps in mind: so many things at most, and the oldest goes first."""

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[K, V] = {}

    def recall(self, key: K) -> V | None:
        return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        if len(self._kept) >= self._most and key not in self._kept:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = value

    def forget(self, key: K) -> None:
        self._kept.pop(key, None)
