"""The box of a form that says whether the customer gets a message. A hidden "no" is sent when it is not ticked."""

from typing import Literal

NotifyChoice = Literal["", "yes", "no"]  # empty: not asked


def chosen_notice(choice: NotifyChoice) -> bool | None:
    return choice == "yes" if choice else None
