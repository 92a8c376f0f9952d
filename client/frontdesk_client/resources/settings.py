"""The settings of the business."""

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    DataResponse,
    DrawersEntry,
    Localized,
    MessagesUpdate,
    PublishedBookingPage,
    PublishedDrawerSettings,
    PublishedMessageSettings,
    PublishedSettings,
)
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, patch, read


class Settings(Resource[TransportT]):
    @Operation
    def get(self) -> ApiRequest[DataResponse[PublishedSettings]]:
        """Get the settings of the business."""
        return read("/settings", DataResponse[PublishedSettings])

    @Operation
    def update(
        self,
        *,
        name: str | UnsetType = UNSET,
        names: Localized | UnsetType | None = UNSET,
        slug: str | UnsetType = UNSET,
        country: str | UnsetType | None = UNSET,
        timezone: str | UnsetType = UNSET,
        currency: str | UnsetType = UNSET,
        languages: Sequence[str] | UnsetType = UNSET,
        prices_include_tax: bool | UnsetType = UNSET,
        charges_no_tax: bool | UnsetType = UNSET,
        tax_registration_number: str | UnsetType | None = UNSET,
        invoice_note: Localized | UnsetType | None = UNSET,
        accent: str | UnsetType | None = UNSET,
        cancel_reasons: Sequence[Localized] | UnsetType | None = UNSET,
        commission_basis: Literal["done", "booked"] | str | UnsetType = UNSET,
        grid_minutes: int | UnsetType = UNSET,
        notice_hours: int | UnsetType = UNSET,
        horizon_days: int | UnsetType = UNSET,
        cancellation_hours: int | UnsetType = UNSET,
        deposit_percent: int | UnsetType = UNSET,
        move_times: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PublishedSettings]]:
        """Update the settings. Omitted fields keep their value; None clears a field."""
        return patch(
            "/settings",
            DataResponse[PublishedSettings],
            idempotency_key,
            name=name,
            names=names,
            slug=slug,
            country=country,
            timezone=timezone,
            currency=currency,
            languages=languages,
            prices_include_tax=prices_include_tax,
            charges_no_tax=charges_no_tax,
            tax_registration_number=tax_registration_number,
            invoice_note=invoice_note,
            accent=accent,
            cancel_reasons=cancel_reasons,
            commission_basis=commission_basis,
            grid_minutes=grid_minutes,
            notice_hours=notice_hours,
            horizon_days=horizon_days,
            cancellation_hours=cancellation_hours,
            deposit_percent=deposit_percent,
            move_times=move_times,
            version=version,
        )

    @Operation
    def get_booking_page(self) -> ApiRequest[DataResponse[PublishedBookingPage]]:
        """Get the texts and rules of the booking page."""
        return read("/settings/booking-page", DataResponse[PublishedBookingPage])

    @Operation
    def update_booking_page(
        self,
        *,
        shown: bool | UnsetType = UNSET,
        about: Localized | UnsetType | None = UNSET,
        asks_for_code: bool | UnsetType = UNSET,
        customers_move: bool | UnsetType = UNSET,
        customers_cancel: bool | UnsetType = UNSET,
        payment_instructions: Localized | UnsetType | None = UNSET,
        embedding_origins: Sequence[str] | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PublishedBookingPage]]:
        """Update the texts and rules of the booking page. Omitted fields keep their value."""
        return patch(
            "/settings/booking-page",
            DataResponse[PublishedBookingPage],
            idempotency_key,
            shown=shown,
            about=about,
            asks_for_code=asks_for_code,
            customers_move=customers_move,
            customers_cancel=customers_cancel,
            payment_instructions=payment_instructions,
            embedding_origins=embedding_origins,
            version=version,
        )

    @Operation
    def get_drawers(self) -> ApiRequest[DataResponse[PublishedDrawerSettings]]:
        """Get how cash is counted."""
        return read("/settings/drawers", DataResponse[PublishedDrawerSettings])

    @Operation
    def update_drawers(
        self,
        *,
        own_shifts: bool | UnsetType = UNSET,
        blind_count: bool | UnsetType = UNSET,
        branches: Sequence[DrawersEntry] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PublishedDrawerSettings]]:
        """Update how cash is counted. Branches that are left out keep their drawers."""
        return patch(
            "/settings/drawers",
            DataResponse[PublishedDrawerSettings],
            idempotency_key,
            own_shifts=own_shifts,
            blind_count=blind_count,
            branches=branches,
        )

    @Operation
    def get_messages(self) -> ApiRequest[DataResponse[PublishedMessageSettings]]:
        """Get which messages the business sends to its customers, when, and in which words."""
        return read("/settings/messages", DataResponse[PublishedMessageSettings])

    @Operation
    def update_messages(
        self,
        *,
        reminder_hours: int | UnsetType = UNSET,
        quiet_from: str | UnsetType | None = UNSET,
        quiet_until: str | UnsetType | None = UNSET,
        for_applications: bool | UnsetType = UNSET,
        messages: MessagesUpdate | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[PublishedMessageSettings]]:
        """Update which messages are sent, when, and in which words. What is omitted stays."""
        return patch(
            "/settings/messages",
            DataResponse[PublishedMessageSettings],
            idempotency_key,
            reminder_hours=reminder_hours,
            quiet_from=quiet_from,
            quiet_until=quiet_until,
            for_applications=for_applications,
            messages=messages,
            version=version,
        )
