"""The box of a form that says whether the customer is told: a hidden "no" before it makes an empty one known."""

from typing import Literal

NotifyChoice = Literal["", "yes", "no"]  # empty: nobody was asked


def chosen_notice(choice: NotifyChoice) -> bool | None:
    return choice == "yes" if choice else None
