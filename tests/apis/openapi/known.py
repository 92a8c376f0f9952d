"""A description in which ids are those of a living business, so that generated requests get further than "unknown"."""

import copy
from typing import Any

from tests.support.shop import Shop

Ids = dict[str, list[str]]

# Which list of ids a field takes, by its owner's name and its own, or by its own alone.
_FIELDS = {
    "team_id": "branches",
    "branch_id": "branches",
    "customer_id": "customers",
    "service_id": "services",
    "staff_id": "staff",
    "staffId": "staff",
    "item_id": "items",
    "category_id": "categories",
    "order_id": "orders",
    "payment_method_id": "methods",
    "OrderItemCreate.id": "items",
    "PosOrderItemCreate.id": "items",
    "PosInlinePayment.id": "methods",
    "PosPaymentCreate.id": "methods",
}
_PATHS = {
    "/orders/": "orders",
    "/pos/orders/": "orders",
    "/customers/": "customers",
    "/items/": "items",
    "/staff/": "staff",
    "/payment-methods/": "methods",
    "/transactions/": "transactions",
    "/services/": "services",
    "/metadata/": "branches",
}


async def ids_of(shop: Shop) -> Ids:
    async def listed(path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await shop.get(path)).json()["data"]
        return found

    items = await listed("/items?per_page=100")
    lists = {
        "branches": await listed("/branches"),
        "categories": await listed("/categories"),
        "customers": await listed("/customers?per_page=10"),
        "items": items,
        "services": [item for item in items if item["type"] == "service"],
        "staff": await listed("/staff"),
        "methods": await listed("/payment-methods"),
        "orders": await listed("/orders?per_page=20"),
        "transactions": await listed("/transactions?per_page=10"),
    }
    return {name: [record["id"] for record in records] for name, records in lists.items()}


def with_known_ids(description: dict[str, Any], ids: Ids) -> dict[str, Any]:
    known = copy.deepcopy(description)
    for owner, schema in known["components"]["schemas"].items():
        if owner in _sent(known):
            _know_fields(owner, schema, ids)
    for path, methods in known["paths"].items():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                _know_parameter(path, parameter, ids)
    return known


def _know_fields(owner: str, schema: dict[str, Any], ids: Ids) -> None:
    for field, about in schema.get("properties", {}).items():
        name = _FIELDS.get(f"{owner}.{field}") or _FIELDS.get(field)
        if name and about.get("format") == "uuid":
            nothing = [None] if "null" in about["type"] else []
            about["enum"] = [*ids[name], *nothing]


def _know_parameter(path: str, parameter: dict[str, Any], ids: Ids) -> None:
    if parameter.get("in") == "path":
        name = next((ids_of_ for start, ids_of_ in _PATHS.items() if path.startswith(start)), None)
    else:
        name = _FIELDS.get(parameter.get("name", ""))
    if name:
        parameter["schema"]["enum"] = ids[name]


def _sent(description: dict[str, Any]) -> set[str]:
    found: set[str] = set()

    def collect(part: Any) -> None:
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name in description["components"]["schemas"] and name not in found:
                found.add(name)
                collect(description["components"]["schemas"][name])
            for inner in part.values():
                collect(inner)
        elif isinstance(part, list):
            for inner in part:
                collect(inner)

    for methods in description["paths"].values():
        for operation in methods.values():
            collect(operation.get("requestBody"))
    return found
