"""The full requests of all operations that set up a business or change what it has set up."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

from tests.support import set_up_requests
from tests.support.full_requests import absence, appointments, front_desk, pay, payment_methods, places, settings
from tests.support.set_up_requests import Make as MakeForShop
from tests.support.shop import Shop

__all__ = ["MADE_IDS", "MAKE", "MakeForShop", "made_request"]

MAKE: dict[str, MakeForShop] = {
    **set_up_requests.MAKE,
    **absence.MAKE,
    **payment_methods.MAKE,
    **front_desk.MAKE,
    **places.MAKE,
    **settings.MAKE,
    **appointments.MAKE,
    **pay.MAKE,
}


async def _time_off(shop: Shop) -> str:
    return str((await absence.made_time_off(shop))["id"])


async def _note(shop: Shop) -> str:
    return str((await front_desk.made_note(shop))["id"])


async def _waiting(shop: Shop) -> str:
    return str((await front_desk.made_waiting(shop))["id"])


async def _rate(shop: Shop) -> str:
    return str((await pay.made_rate(shop))["id"])


async def _cashier(shop: Shop) -> str:
    return str((await pay.made_cashier(shop))["id"])


# By the first part of a path: records that no list of the sandbox has.
MADE_IDS: dict[str, Callable[[Shop], Awaitable[str]]] = {
    "/time-off": _time_off,
    "/customer-notes": _note,
    "/pinned-items": places.pinnable,
    "/waiting-list": _waiting,
    "/commission-rates": _rate,
    "/cashiers": _cashier,
}


async def made_request(shop: Shop, name: str) -> tuple[str, dict[str, str], Any]:
    """Its path, the parameters of the query and the body."""
    made = await MAKE[name](shop)
    path, _, query = made.path.partition("?")
    return path, dict(parse_qsl(query)), made.body
