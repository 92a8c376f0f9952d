"""A full request for every operation with which the front desk serves customers."""

from itertools import count

from tests.support.branch import day
from tests.support.pagination import Document
from tests.support.set_up_requests import Make, Request, code, made, service_body
from tests.support.shop import Shop

_numbers = count()


async def _customer_id(shop: Shop) -> str:
    return str((await made(shop, "/customers", {"first_name": "Joud"}))["id"])


async def _add_note(shop: Shop) -> Request:
    return Request(
        f"/customers/{await _customer_id(shop)}/notes", {"text": f"Allergic to latex {code()}", "is_warning": True}
    )


async def made_note(shop: Shop) -> Document:
    return await made(shop, *await _add_note(shop))  # type: ignore[arg-type]


async def _change_note(shop: Shop) -> Request:
    note = await made_note(shop)
    return Request(f"/customer-notes/{note['id']}", {"is_warning": False, "version": note["version"]})


async def _delete_note(shop: Shop) -> Request:
    return Request(f"/customer-notes/{(await made_note(shop))['id']}")


async def _wish(shop: Shop) -> Document:
    service = await made(shop, "/items", await service_body(shop))
    return {
        "service_ids": [service["id"]],
        "staff_id": service["staff"][0]["id"],
        "first_day": str(day(10)),
        "last_day": str(day(12)),
        "part_of_day": "afternoon",
        "note": f"Calls back {code()}",
    }


async def _wait(shop: Shop) -> Request:
    customer = await made(shop, "/customers", {"first_name": "Joud", "email": "joud@example.com"})
    return Request("/waiting-list", {**await _wish(shop), "customer_id": customer["id"]})


async def made_waiting(shop: Shop) -> Document:
    return await made(shop, *await _wait(shop))  # type: ignore[arg-type]


async def _replace_waiting(shop: Shop) -> Request:
    entry = await made_waiting(shop)
    return Request(f"/waiting-list/{entry['id']}", {**await _wish(shop), "version": entry["version"]})


async def _remove_waiting(shop: Shop) -> Request:
    return Request(f"/waiting-list/{(await made_waiting(shop))['id']}")


async def _offer(shop: Shop) -> Request:
    entry = await made_waiting(shop)
    start = f"{day(10)}T{9 + next(_numbers) % 12:02}:{next(_numbers) % 60:02}:00"
    return Request(f"/waiting-list/{entry['id']}/offer", {"staff_id": entry["staff_id"], "start": start})


MAKE: dict[str, Make] = {
    "POST /customers/{uuid}/notes": _add_note,
    "PATCH /customer-notes/{uuid}": _change_note,
    "DELETE /customer-notes/{uuid}": _delete_note,
    "POST /waiting-list": _wait,
    "PUT /waiting-list/{uuid}": _replace_waiting,
    "DELETE /waiting-list/{uuid}": _remove_waiting,
    "POST /waiting-list/{uuid}/offer": _offer,
}
