"""Stop signals inside an event loop. A separate module, so that commands without a loop do not import asyncio."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from frontdesk.runtime.stop_signals import GRACE_SECONDS, POLL_SECONDS, check_stop, stop_count, stop_descriptor

T = TypeVar("T")


def run_async(main: Coroutine[Any, Any, T], loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None) -> T:
    """Like asyncio.run. A stop cancels the coroutine, and after a grace period its clean-up too."""
    with contextlib.closing(main), asyncio.Runner(loop_factory=loop_factory) as runner:
        check_stop()
        return runner.run(_cancel_on_stop(main))


async def _cancel_on_stop(main: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.get_running_loop()
    task = loop.create_task(main)

    def cancel() -> None:
        task.cancel()
        loop.call_later(GRACE_SECONDS, cancel)

    with call_on_stop(cancel, task.cancel):
        try:
            return await task
        except asyncio.CancelledError:
            check_stop()
            raise


@contextmanager
def call_on_stop(first: Callable[[], object], second: Callable[[], object]) -> Iterator[None]:
    """Calls `first` when a stop is requested, and `second` when it is requested again."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        loop.remove_reader(stop_descriptor())
        first()
        check_again()

    def check_again() -> None:
        if stop_count() > 1:
            second()
        else:
            loop.call_later(POLL_SECONDS, check_again)

    loop.add_reader(stop_descriptor(), stop)
    try:
        yield
    finally:
        loop.remove_reader(stop_descriptor())
