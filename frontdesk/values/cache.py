"""A cache inside a process, bounded in bytes."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SizedCache(Generic[K, V]):
    """A cache that is bounded in bytes. The least recently used entry is evicted first.

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

    def set(self, key: K, value: V) -> None:
        self.delete(key)
        size = self._size_of(key, value)
        if size > self._max_bytes:
            return
        while self.bytes + size > self._max_bytes:
            self.delete(next(iter(self._entries)))
        self._entries[key] = (value, size)
        self.bytes += size

    def delete(self, key: K) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self.bytes -= found[1]

    def __len__(self) -> int:
        return len(self._entries)
