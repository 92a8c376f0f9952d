"""Ctrl-C and SIGTERM: recorded when they arrive, acted on at a safe point.

The handler raises nothing. An exception would come out of whichever line runs at that moment, and a lock that this line
was about to release would stay taken. The handler records the signal and writes to a pipe that is never emptied; every
step that waits also waits for the pipe, and then ends with `Stopped` or by cancelling its task.
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
PATIENCE_SECONDS = 20.0  # more than an orderly end takes: deliveries under way get eight seconds
_received: list[int] = []
_readable, _writable = os.pipe()
os.set_blocking(_writable, False)


class Stopped(BaseException):
    """This process was asked to end, and a step ended early because of it."""

    @property
    def status(self) -> int:
        """The exit status that shells give to a program which a signal ended."""
        return 128 + (_received[0] if _received else signal.SIGTERM)


def catch_stop_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, _record)


def leave_stop_signals() -> None:
    """Python's own way, for a step that starts nothing and can end anywhere."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def interruptible_input() -> Iterator[None]:
    """Around a question to the terminal, which no pipe can wake. Nothing may be running yet."""
    if signal.getsignal(signal.SIGINT) is not _record:
        yield
        return
    leave_stop_signals()
    try:
        yield
    finally:
        catch_stop_signals()


def request_stop() -> None:
    """From inside: the process ends as if it had been sent SIGTERM."""
    _record(signal.SIGTERM, None)


def stop_count() -> int:
    """How often the process was asked to end; more than once means: at once."""
    return len(_received)


def check_stop() -> None:
    if _received:
        raise Stopped


def wait_for_stop(seconds: float) -> bool:
    """Whether a stop was requested before the time was over."""
    return bool(select.select([_readable], [], [], seconds)[0])


def stop_descriptor() -> int:
    """Becomes readable when a stop is requested, and stays so."""
    return _readable


def pause(seconds: float) -> None:
    if wait_for_stop(seconds):
        raise Stopped


def finish(work: Callable[[], T], *processes: "subprocess.Popen[Any]") -> T:
    """Blocking work with processes of ours, which are ended when a stop is requested."""
    result: Future[T] = Future()
    thread = threading.Thread(target=_fill, args=(result, work), name="finish", daemon=True)
    thread.start()
    waited = 0.0
    while thread.is_alive():
        thread.join(POLL_SECONDS)
        if _received:
            for process in processes:
                process.terminate() if waited < PATIENCE_SECONDS else process.kill()
            waited += POLL_SECONDS
    check_stop()
    return result.result()


def _fill(result: "Future[T]", work: Callable[[], T]) -> None:
    try:
        result.set_result(work())
    except BaseException as failure:  # noqa: BLE001 - raised again where the result is read
        result.set_exception(failure)


def _record(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    with suppress(BlockingIOError):
        os.write(_writable, b"\0")
