"""Customers, orders and payments."""

from frontdesk.developer_tools.api import Document, amount
from frontdesk.developer_tools.triggers.stage import Stage
from frontdesk.errors import StartupError
from frontdesk_client import ApiError


async def create_customer(stage: Stage) -> Document:
    return await stage.post("/customers", first_name="Trigger", last_name="Example")


async def update_customer(stage: Stage) -> None:
    customer = await create_customer(stage)
    await stage.write("PATCH", "/customers/{}", customer["id"], note="Changed by a trigger")


async def merge_customers(stage: Stage) -> None:
    kept, doubled = await create_customer(stage), await create_customer(stage)
    await stage.post("/customers/{}/merge", kept["id"], customer_id=doubled["id"])


async def create_order(stage: Stage) -> Document:
    """The next free slot of any service. Another client may book it first."""
    customer = await create_customer(stage)
    for service in await stage.api.page("/items", type="service", per_page=100):
        if not (service["status"] and service["base_sellable"]):
            continue
        for start in await _free_slots(stage, service["id"]):
            order = await _book(stage, service, customer["id"], start)
            if order is not None:
                return order
    raise StartupError("no service of this sandbox has a free slot: `POST /sandbox/reset` brings them back")


async def _book(stage: Stage, service: Document, customer_id: str, start: str) -> Document | None:
    lines = [{"id": service["id"], "type": "service", "quantity": 1}]
    branch_id = service["branch"]["id"]
    try:
        return await stage.post("/orders", team_id=branch_id, customer_id=customer_id, start=start, items=lines)
    except ApiError as error:
        if error.code != "timeslot_unavailable":
            raise
    return None


async def _free_slots(stage: Stage, service_id: str, staff_id: str | None = None) -> list[str]:
    now = (await stage.api.get("/sandbox/clock"))["now"]
    asked = {"service_id": service_id, "staff_id": staff_id, "date": now[:10], "next_availability": True}
    found = await stage.api.ask("/availability", **asked)
    return [f"{day}T{time}:00" for day, times in found["slots"].items() for time in times]


async def edit_order(stage: Stage) -> None:
    order = await create_order(stage)
    lines = (await stage.api.get("/orders/{}", order["id"]))["items"]
    kept = [{name: line[name] for name in ("id", "type", "quantity", "line_id", "staff_id")} for line in lines]
    discount = {"amount": 10, "type": "percentage"}
    await stage.write("PUT", "/orders/{}/items", order["id"], items=kept, discount=discount)


async def cancel_order(stage: Stage) -> None:
    order = await create_order(stage)
    await stage.post("/orders/{}/status", order["id"], status="canceled", note_for_status="Canceled by a trigger")


async def reschedule_order(stage: Stage) -> None:
    order = await create_order(stage)
    line = (await stage.api.get("/orders/{}", order["id"]))["items"][0]
    for start in await _free_slots(stage, line["id"], line["staff_id"]):
        try:
            await stage.post("/orders/{}/reschedule", order["id"], start=start)
        except ApiError as error:
            if error.code != "timeslot_unavailable":
                raise
        else:
            return


async def pay_order(stage: Stage) -> None:
    order = await create_order(stage)
    methods = await stage.api.page("/payment-methods", per_page=100)
    cash = next((method for method in methods if method["type"]["slug"] == "cash"), methods[0])
    paid = {"amount": amount(order["total"]), "payment_method_id": cash["id"]}
    await stage.post("/orders/{}/payments", order["id"], **paid)


async def ping_webhook(stage: Stage) -> None:
    webhooks = await stage.api.page("/webhooks", per_page=1)
    if not webhooks:
        raise StartupError("a ping needs a webhook of this client: create one first")
    await stage.post("/webhooks/{}/ping", webhooks[0]["id"])
