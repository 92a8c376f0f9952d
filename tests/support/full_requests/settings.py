"""A full request for every operation on settings. The business works as before: most values are those that it has."""

from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import Make, Request, code
from tests.support.shop import Shop

REASONS = ["The customer is ill", "The customer has no time", "The provider is away", "Booked by mistake"]


async def read_settings(shop: Shop, path: str = "/settings") -> Document:
    found: Document = json_exact(await shop.get(path))["data"]
    return found


async def _change(shop: Shop) -> Request:
    kept = await read_settings(shop)
    del kept["tenant_id"], kept["updated_at"]
    reasons = [{"en": reason} for reason in (*REASONS, code())]
    texts = {"names": {"en": f"Layan {code()}"}, "invoice_note": {"en": code()}, "accent": f"#{code()[:6]}"}
    number = kept["tax_registration_number"] or "310123456700003"
    more = {"cancel_reasons": reasons, "tax_registration_number": number, "move_times": False}
    return Request("/settings", {**kept, **texts, **more})


async def _change_booking_page(shop: Shop) -> Request:
    kept = await read_settings(shop, "/settings/booking-page")
    texts = {"about": {"en": code(), "ar": "شعر"}, "payment_instructions": {"en": "Pay by transfer."}}
    return Request("/settings/booking-page", {**kept, **texts, "embedding_origins": ["https://www.layan.example"]})


async def _change_drawers(shop: Shop) -> Request:
    kept = await read_settings(shop, "/settings/drawers")
    return Request("/settings/drawers", {**kept, "blind_count": not kept["blind_count"]})


async def _change_messages(shop: Shop) -> Request:
    kept = await read_settings(shop, "/settings/messages")
    words = {"subject": f"See you soon {code()}", "opening": "Dear {name},", "words": "Parking is behind the house."}
    messages = {"reminder": {"on": True, "texts": {"en": words}}, "receipt": {"texts": {"ar": words}}}
    return Request("/settings/messages", {**kept, "quiet_from": "21:30", "quiet_until": "08:00", "messages": messages})


def _reading(path: str) -> Make:
    async def make(_shop: Shop) -> Request:
        return Request(path)

    return make


MAKE: dict[str, Make] = {
    "GET /settings": _reading("/settings"),
    "PATCH /settings": _change,
    "GET /settings/booking-page": _reading("/settings/booking-page"),
    "PATCH /settings/booking-page": _change_booking_page,
    "GET /settings/drawers": _reading("/settings/drawers"),
    "PATCH /settings/drawers": _change_drawers,
    "GET /settings/messages": _reading("/settings/messages"),
    "PATCH /settings/messages": _change_messages,
}
