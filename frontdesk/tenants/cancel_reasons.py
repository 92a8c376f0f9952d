from collections.abc import Sequence

from frontdesk.postgres.act import ActWithoutLoad, Context, FunctionCall
from frontdesk.tenants.cancel_reason_queries import Names


class SaveCancelReasons(ActWithoutLoad, frozen=True):
    """Replaces the list of the business; orders keep the reasons that they have."""

    reasons: Sequence[Names] | None  # None: those of the product

    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("save_cancel_reasons", self)
