"""What the rows about webhooks and events are asked with: a webhook that stays, and ones made to be changed."""

from typing import Any

from tests.contract.api import Api

Parts = tuple[str, dict[str, str], Any]  # path, query, body


async def body(api: Api) -> dict[str, Any]:
    return {
        "url": "https://hooks.example.com/desk",
        "events": ["order.created", "item.updated", "app.disconnected"],
        "branches": [(await api.list("/branches"))[0]["id"]],
        "changed_fields": ["price"],
        "payload": "thin",
        "active": True,
    }


async def kept_webhook(api: Api) -> str:
    """The same for all rows: a client has room for few."""
    if "webhook" not in api.kept:
        api.kept["webhook"] = (await _made(api, "/webhooks", await body(api)))["id"]
    return str(api.kept["webhook"])


async def kept_delivery(api: Api) -> str:
    """Of three, so that lists have something to turn over. A reset of the sandbox takes them away."""
    webhook = f"/webhooks/{await kept_webhook(api)}"
    there = (await api.request("GET", f"{webhook}/deliveries", params={"per_page": "100"})).json()["data"]
    if api.kept.get("delivery") not in [delivery["id"] for delivery in there]:
        api.kept["delivery"], *_ = [(await _made(api, f"{webhook}/ping", None))["id"] for _ in range(3)]
    return str(api.kept["delivery"])


async def _made(api: Api, path: str, sent: Any) -> dict[str, Any]:
    answer = await api.post(path, sent)
    assert answer.status_code == 201, f"POST {path}: {answer.status_code} {answer.text}"
    made: dict[str, Any] = answer.json()["data"]
    return made


async def post(api: Api) -> Parts:
    return "/webhooks", {}, await body(api)


async def patch(api: Api) -> Parts:
    return f"/webhooks/{await kept_webhook(api)}", {}, await body(api)


async def delete(api: Api) -> Parts:
    return f"/webhooks/{(await _made(api, '/webhooks', await body(api)))['id']}", {}, None


async def webhooks(api: Api) -> Parts:
    await kept_webhook(api)
    return "/webhooks", {}, None


async def deliveries(api: Api) -> Parts:
    await kept_delivery(api)
    return f"/webhooks/{await kept_webhook(api)}/deliveries", {}, None


async def events(api: Api) -> Parts:
    await kept_delivery(api)
    return "/events", {}, None


async def deletions(api: Api) -> Parts:
    """Of two categories, so that there is something to turn over."""
    if "deleted" not in api.kept:
        branch = (await api.list("/branches"))[0]["id"]
        for _ in range(2):
            made = await _made(api, "/categories", {"name": {"en": "Gone"}, "branch_id": branch})
            api.kept["deleted"] = made["id"]
            answer = await api.request("DELETE", f"/categories/{made['id']}")
            assert answer.status_code == 204, answer.text
    return "/deletions", {}, None


async def search(_api: Api) -> Parts:
    return "/search", {"q": "a", "limit": "25"}, None


BUILDERS = {
    "GET /search": search,
    "GET /webhooks": webhooks,
    "POST /webhooks": post,
    "PATCH /webhooks/{id}": patch,
    "DELETE /webhooks/{id}": delete,
    "GET /webhooks/{id}/deliveries": deliveries,
    "GET /events": events,
    "GET /deletions": deletions,
}


async def id_for(api: Api, path: str) -> str:
    return await (kept_delivery(api) if path.startswith("/webhooks/deliveries/") else kept_webhook(api))
