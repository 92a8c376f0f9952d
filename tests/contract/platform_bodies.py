"""Bodies of what is about the platform: exports, and the clock, faults and snapshots of a sandbox."""

from typing import Any

from tests.contract.api import Api
from tests.factories.changes import delete_rows
from tests.support.waiting import eventually

_DONE = "SELECT FROM record_exports WHERE tenant_id = $1 AND id = $2 AND status = 'done'"


async def export_body(api: Api) -> dict[str, Any]:
    """After those before are deleted, because there are limits."""
    await delete_rows(api.shop, "record_exports")
    return {"resources": ["branches"]}


async def made_export(api: Api) -> str:
    """One that is done."""
    answer = await api.post("/exports", await export_body(api))
    assert answer.status_code == 201, f"POST /exports: {answer.status_code} {answer.text}"
    export_id = str(answer.json()["data"]["id"])

    async def is_done() -> bool:
        return bool(await api.shop.sql(_DONE, export_id))

    await eventually(is_done)
    return export_id


async def clock_body(_api: Api) -> Any:
    return {"advance": "PT1S"}


async def fault_body(_api: Api) -> Any:
    """Of deliveries, of which no check makes any."""
    return {"kind": "webhook_lost", "route": "webhook.ping", "times": 2}


async def snapshot_body(_api: Api) -> Any:
    return {"name": "As it was"}


async def made_snapshot(api: Api) -> str:
    made = await api.post("/sandbox/snapshots", await snapshot_body(api))
    assert made.status_code == 201, made.text
    return str(made.json()["data"]["id"])
