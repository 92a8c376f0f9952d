"""What the running code works for: a request or a background task. For the log of what happens deep below it."""

from contextvars import ContextVar
from typing import Protocol


class Work(Protocol):
    def about(self) -> dict[str, str]:
        """The fields of a log line that tell which work it is."""


current_work: ContextVar[Work] = ContextVar("current work")  # also of the tasks that it starts


def about_current_work() -> dict[str, str]:
    work = current_work.get(None)
    return {} if work is None else work.about()
