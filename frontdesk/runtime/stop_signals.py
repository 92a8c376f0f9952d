"""Ctrl-C and SIGTERM: recorded when they arrive, handled at a safe point.

The handler does not raise. An exception could interrupt any line, including one that is about to release a lock. The
handler records the signal and writes to a pipe that is never read. Every blocking wait also waits for the pipe; then it
raises `Stopped` or cancels its task.
"""

import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
SIGNALS = (signal.SIGINT, signal.SIGTERM)
POLL_SECONDS = 0.05
GRACE_SECONDS = 20.0  # longer than an orderly shutdown takes; running deliveries have eight seconds
_received: list[int] = []
_readable, _writable = os.pipe()
os.set_blocking(_writable, False)


class Stopped(BaseException):
    """A stop was requested, and the current step was interrupted."""

    @property
    def status(self) -> int:
        """The exit status that shells report for a program that a signal ended."""
        return 128 + (_received[0] if _received else signal.SIGTERM)


def catch_stop_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, _record)


def restore_default_signals() -> None:
    """Python's defaults, for code that may be interrupted anywhere."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def interruptible_input() -> Iterator[None]:
    """Around a terminal prompt, which the pipe cannot interrupt. Nothing may be running yet."""
    if signal.getsignal(signal.SIGINT) is not _record:
        yield
        return
    restore_default_signals()
    try:
        yield
    finally:
        catch_stop_signals()


def request_stop() -> None:
    """Stops this process as if it had received SIGTERM."""
    _record(signal.SIGTERM, None)


def stop_count() -> int:
    """How often a stop was requested; more than once means immediately."""
    return len(_received)


def check_stop() -> None:
    if _received:
        raise Stopped


def wait_for_stop(seconds: float) -> bool:
    """Whether a stop was requested within the time."""
    return bool(select.select([_readable], [], [], seconds)[0])


def stop_descriptor() -> int:
    """Becomes readable when a stop is requested, and stays readable."""
    return _readable


def pause(seconds: float) -> None:
    if wait_for_stop(seconds):
        raise Stopped


def run_until_stop(work: Callable[[], T], *processes: "subprocess.Popen[Any]") -> T:
    """Runs blocking work in a thread. When a stop is requested, `processes` are terminated and `Stopped` is raised."""
    result: Future[T] = Future()
    thread = threading.Thread(target=_set_result, args=(result, work), name="run-until-stop", daemon=True)
    thread.start()
    waited = 0.0
    while thread.is_alive():
        thread.join(POLL_SECONDS)
        if _received:
            for process in processes:
                process.terminate() if waited < GRACE_SECONDS else process.kill()
            waited += POLL_SECONDS
    check_stop()
    return result.result()


def _set_result(result: "Future[T]", work: Callable[[], T]) -> None:
    try:
        result.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again where the result is read
        result.set_exception(error)


def _record(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    with suppress(BlockingIOError):
        os.write(_writable, b"\0")
