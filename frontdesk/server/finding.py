"""What `frontdesk doctor` says about one part of the installation."""

from typing import Literal, NamedTuple

State = Literal["ok", "warn", "fail"]


class Finding(NamedTuple):
    state: State
    subject: str
    text: str  # how it is, or what to do
