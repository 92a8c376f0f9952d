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
    del kept["updated_at"]
    reasons = [{"en": reason} for reason in (*REASONS, code())]
    texts = {"names": {"en": f"Layan {code()}"}, "invoice_note": {"en": code()}, "accent": f"#{code()[:6]}"}
    number = kept["tax_registration_number"] or "310123456700003"
    more = {"cancel_reasons": reasons, "tax_registration_number": number, "move_times": False}
    return Request("/settings", {**kept, **texts, **more})


def _reading(path: str) -> Make:
    async def make(_shop: Shop) -> Request:
        return Request(path)

    return make


MAKE: dict[str, Make] = {
    "GET /settings": _reading("/settings"),
    "PATCH /settings": _change,
}
