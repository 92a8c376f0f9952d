"""Choosing favorites, and the month by mail."""

from uuid import UUID

from frontdesk.postgres.act import ActWithoutLoad, Context, FunctionCall


class SaveReportSettings(ActWithoutLoad, frozen=True):
    """What is None stays as it is."""

    user_id: UUID
    favorite: str | None = None  # the name of a report
    is_favorite: bool | None = None
    is_mailed: bool | None = None

    def decide(self, context: Context[None]) -> FunctionCall:
        return FunctionCall("save_report_settings", self)
