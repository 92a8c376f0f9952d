"""The published form of the settings of the booking page, which the database function booking_page_document builds."""

import msgspec

from frontdesk.values.api_types import Localized


class PublishedBookingPage(msgspec.Struct):
    version: int  # 0: none were saved
    shown: bool
    about: Localized
    asks_for_code: bool
    customers_move: bool
    customers_cancel: bool
    payment_instructions: Localized
    embedding_origins: list[str]
