"""What a process keeps in mind: so many things at most, and the oldest goes first."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        if len(self._kept) >= self._most and key not in self._kept:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = value

    def forget(self, key: K) -> None:
        self._kept.pop(key, None)


class SizedCache(Generic[K, V]):
    """A cache that is bounded in bytes. The least recently used entry is dropped first.

    `size_of` gives the bytes that an entry may take, once it is fully used. An entry larger than the whole cache is not
    stored.
    """

    def __init__(self, max_bytes: int, size_of: Callable[[K, V], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._entries: dict[K, tuple[V, int]] = {}
        self.bytes = 0

    def get(self, key: K) -> V | None:
        found = self._entries.pop(key, None)
        if found is None:
            return None
        self._entries[key] = found
        return found[0]

    def put(self, key: K, value: V) -> None:
        self.remove(key)
        size = self._size_of(key, value)
        if size > self._max_bytes:
            return
        while self.bytes + size > self._max_bytes:
            self.remove(next(iter(self._entries)))
        self._entries[key] = (value, size)
        self.bytes += size

    def remove(self, key: K) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.bytes -= found[1]

    def __len__(self) -> int:
        return len(self._entries)
