"""What a member chose on the page of reports: favorites, and the month by mail."""

from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.postgres.query import Query, decoded


class ReportSettings(msgspec.Struct, frozen=True):
    favorites: tuple[str, ...] = ()
    next_mail_at: datetime | None = None  # None: nothing is mailed


def get_report_settings(user_id: UUID) -> Query[ReportSettings]:
    return Query(
        """
        SELECT coalesce((SELECT json_build_object('favorites', favorites, 'next_mail_at', next_mail_at)
                         FROM report_settings WHERE tenant_id = $1 AND user_id = $2), '{}')::text AS document
        """,
        (user_id,),
        decoded(ReportSettings),
    )
