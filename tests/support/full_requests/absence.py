"""A full request for every operation on days with other hours, closed days and time off."""

from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import Make, Request, branch_body, code, made, staff_body
from tests.support.shop import Shop

DAY = "2098-03-04"
_TIME_OFF = {"start": "2098-03-04T10:00:00", "end": "2098-03-06T00:00:00", "status": "requested"}
_BODIES = {"/branches": branch_body, "/staff": staff_body}


async def _owner(shop: Shop, owners: str) -> str:
    return f"{owners}/{(await made(shop, owners, await _BODIES[owners](shop)))['id']}"


def _hours() -> Document:
    intervals = [{"from": "10:00", "to": "14:00"}, {"from": "20:00", "to": "02:00"}]
    return {"day": DAY, "intervals": intervals, "note": "Inventory"}


def _set(owners: str) -> Make:
    async def make(shop: Shop) -> Request:
        path = f"{await _owner(shop, owners)}/hour-exceptions"
        before = json_exact(await shop.request("PUT", path, json={"day": DAY, "intervals": []}))["data"]
        return Request(path, {**_hours(), "version": before["version"]})

    return make


def _reset(owners: str) -> Make:
    async def make(shop: Shop) -> Request:
        path = f"{await _owner(shop, owners)}/hour-exceptions"
        json_exact(await shop.request("PUT", path, json=_hours()))
        return Request(f"{path}?day={DAY}")

    return make


async def _close(shop: Shop) -> Request:
    days = {"from": DAY, "to": "2098-03-09", "note": f"Renovation {code()}"}
    return Request(f"{await _owner(shop, '/branches')}/closed-days", days)


async def _open(shop: Shop) -> Request:
    path, body = await _close(shop)
    await made(shop, path, body or {})
    return Request(f"{path}?day={DAY}")


async def _add_time_off(shop: Shop) -> Request:
    return Request(f"{await _owner(shop, '/staff')}/time-off", {**_TIME_OFF, "note": f"Wedding {code()}"})


async def made_time_off(shop: Shop) -> Document:
    return await made(shop, *await _add_time_off(shop))  # type: ignore[arg-type]


def _decide(act: str) -> Make:
    async def make(shop: Shop) -> Request:
        time_off = await made_time_off(shop)
        return Request(f"/time-off/{time_off['id']}{act}", {"version": time_off["version"]} if act else None)

    return make


def _read(owners: str, rest: str) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(f"{await _owner(shop, owners)}{rest}")

    return make


async def _list_time_off(_shop: Shop) -> Request:
    return Request("/time-off?status=approved&from=2026-01-01&to=2026-02-01")


MAKE: dict[str, Make] = {
    "GET /branches/{uuid}/hour-exceptions": _read("/branches", "/hour-exceptions"),
    "GET /branches/{uuid}/closed-days": _read("/branches", "/closed-days"),
    "GET /staff/{uuid}/hour-exceptions": _read("/staff", "/hour-exceptions"),
    "GET /time-off": _list_time_off,
    "PUT /branches/{uuid}/hour-exceptions": _set("/branches"),
    "DELETE /branches/{uuid}/hour-exceptions": _reset("/branches"),
    "PUT /staff/{uuid}/hour-exceptions": _set("/staff"),
    "DELETE /staff/{uuid}/hour-exceptions": _reset("/staff"),
    "POST /branches/{uuid}/closed-days": _close,
    "DELETE /branches/{uuid}/closed-days": _open,
    "POST /staff/{uuid}/time-off": _add_time_off,
    "POST /time-off/{uuid}/approve": _decide("/approve"),
    "POST /time-off/{uuid}/decline": _decide("/decline"),
    "DELETE /time-off/{uuid}": _decide(""),
}
