"""The settings of a business."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from frontdesk.apis.open.customers import CountryCode
from frontdesk.apis.open.entered_fields import LocalizedName, Version, texts
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import ShortText, TaxNumber
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.tenants.documents import PublishedSettings
from frontdesk.tenants.settings import ChangeSettings
from frontdesk.tenants.settings_queries import OtherSettings, published_settings

operations = Endpoints()

MAX_REASONS = 20
SavedVersion = Annotated[int, Meta(ge=0, le=2**31 - 1)]  # 0: nothing was saved
_Hours = Annotated[int, Meta(ge=0, le=8760)]
_Note = Annotated[str, Meta(max_length=500)]
_Reason = Annotated[str, Meta(min_length=1, max_length=60)]
_TEXTS = ("names", "invoice_note", "about", "payment_instructions")
_OTHERS = OtherSettings.__struct_fields__


class Words(msgspec.Struct):
    """A short text in one language or in several."""

    en: _Note | None = None
    ar: _Note | None = None


class CancelReason(msgspec.Struct):
    """A reason in one language or in several."""

    en: _Reason | None = None
    ar: _Reason | None = None


class SettingsUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears an optional field."""

    name: ShortText | UnsetType = UNSET
    names: LocalizedName | UnsetType | None = UNSET
    slug: ShortText | UnsetType = UNSET
    country: CountryCode | UnsetType | None = UNSET
    timezone: ShortText | UnsetType = UNSET
    currency: ShortText | UnsetType = UNSET
    languages: Annotated[list[ShortText], Meta(min_length=1, max_length=10)] | UnsetType = UNSET
    prices_include_tax: bool | UnsetType = UNSET
    charges_no_tax: bool | UnsetType = UNSET
    tax_registration_number: TaxNumber | UnsetType | None = UNSET
    invoice_note: Words | UnsetType | None = UNSET
    accent: ShortText | UnsetType | None = UNSET
    cancel_reasons: Annotated[list[CancelReason], Meta(min_length=1, max_length=MAX_REASONS)] | UnsetType | None = UNSET
    commission_basis: Literal["done", "booked"] | UnsetType = UNSET
    grid_minutes: Annotated[int, Meta(ge=1, le=1440)] | UnsetType = UNSET
    notice_hours: _Hours | UnsetType = UNSET
    horizon_days: Annotated[int, Meta(ge=1, le=730)] | UnsetType = UNSET
    cancellation_hours: _Hours | UnsetType = UNSET
    deposit_percent: Annotated[int, Meta(ge=0, le=100)] | UnsetType = UNSET
    move_times: bool = False
    version: Version | None = None


@operations.get("/settings", scope=Scope.BRANCHES_READ, response=DataResponse[PublishedSettings])
async def get_settings(request: Request) -> Response:
    """Retrieve the settings of the business."""
    return data_response(await request.fetch(published_settings()))


@operations.patch(
    "/settings",
    scope=Scope.SETTINGS_WRITE,
    response=DataResponse[PublishedSettings],
    errors=[Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_settings(body: SettingsUpdate) -> ChangeSettings:
    """Update the settings of the business; omitted fields keep their values.

    An application does not change the currency: an owner does in the dashboard, before the first sale. Another time
    zone shows coming bookings at other times of the day: send `move_times` true to confirm it. An earlier `slug` goes
    on leading to the business.
    """
    sent = entered_settings(asdict(body))
    may_move_times, version = sent.pop("move_times"), sent.pop("version")
    for name in ("slug", "accent"):
        if sent.get(name):
            sent[name] = sent[name].lower()
    for name in ("country", "currency"):
        if sent.get(name):
            sent[name] = sent[name].upper()
    others = {name: sent.pop(name) for name in _OTHERS if name in sent}
    return ChangeSettings(sent, others, may_move_times, version)


def entered_settings(sent: dict[str, Any]) -> dict[str, Any]:
    """The fields that were sent, as acts take them. No text in any language is none."""
    fields = {name: _entered(value) for name, value in sent.items() if value is not UNSET}
    return {name: {} if value is None and name in _TEXTS else value for name, value in fields.items()}


def _entered(value: Any) -> Any:  # noqa: ANN401 - of any field
    match value:
        case LocalizedName():
            return texts(value)
        case Words() | CancelReason():
            return {language: text for language, text in asdict(value).items() if text}
        case list():
            return [_entered(entry) for entry in value]
        case _:
            return value
