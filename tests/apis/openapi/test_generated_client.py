"""A client that an independent generator makes from the description books and pays."""

import asyncio
import importlib
import os
import sys
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import msgspec
import pytest

from frontdesk.apis.openapi.build import description
from tests.support.branch import RIYADH
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop

PROGRAM = Path(sys.executable).parent / "openapi-python-client"
NAME = "generated_salon_client"


async def generate(name: str, folder: Path) -> None:
    """Warnings count: each is a piece of the description that the generator did not understand."""
    (folder / "openapi.json").write_bytes(msgspec.json.encode(description(name)))
    # The generator knows no type for a file of lines, and leaves reading it to the program.
    (folder / "config.json").write_text('{"content_type_overrides": {"application/jsonl": "application/octet-stream"}}')
    command = ["generate", "--path", "openapi.json", "--config", "config.json", "--meta", "none"]
    command += ["--output-path", NAME, "--fail-on-warning"]
    path = os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]])  # it formats what it wrote with ruff
    running = await asyncio.create_subprocess_exec(
        PROGRAM,
        *command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await running.communicate()
    assert running.returncode == 0, output.decode()


@pytest.fixture
async def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    await generate("open-api", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module(NAME)


def part(name: str) -> Any:
    return importlib.import_module(f"{NAME}.{name}")


async def test_a_generated_client_takes_a_token_reads_books_and_pays(
    generated: ModuleType, service: Service, other_shop: Shop
) -> None:
    shop, models, base = await service.new_shop(), part("models"), service.origin + OPEN_API
    asked = models.TokenRequest(
        models.TokenRequestGrantType.CLIENT_CREDENTIALS, shop.sandbox.client_id, shop.sandbox.client_secret
    )
    async with generated.Client(base) as stranger:
        token = await part("api.tokens.create_token").asyncio(client=stranger, body=asked)
    async with generated.AuthenticatedClient(base, token.access_token) as client:
        items = await part("api.items.list_items").asyncio(client=client, type_=models.ItemType.SERVICE)
        service_ = items.data[0]
        question = models.AvailabilityRequest(service_.id, datetime.now(RIYADH).date(), next_availability=True)
        offered = await part("api.availability.search_availability").asyncio(client=client, body=question)
        day, starts = next((day, s) for day, s in offered.data.slots.additional_properties.items() if s)
        line = models.OrderItemCreate(service_.id, models.OrderItemType.SERVICE, 1, unit_amount=50.0)
        wanted = models.OrderCreate(
            service_.branch.id,
            await new_customer(client, models),
            [line],
            start=f"{day}T{starts[0]}:00",
            payment=models.InlinePayment(50.0, payment_method_type="cash"),
        )
        made = await part("api.orders.create_order").asyncio(client=client, body=wanted, idempotency_key="generated-1")
        assert made.data.payment_status == "paid"
        read = await part("api.orders.get_order").asyncio(client=client, uuid=made.data.id)
        assert read.data.bookings[0].service_id == service_.id
        line.staff_id = read.data.bookings[0].staff_id  # nobody else will do
        refused = await part("api.orders.create_order").asyncio_detailed(client=client, body=wanted)
    assert (refused.status_code, refused.parsed.error) == (422, "timeslot_unavailable")


async def new_customer(client: Any, models: Any) -> UUID:
    body = models.CustomerCreate("Generated")
    made = await part("api.customers.create_customer").asyncio(client=client, body=body)
    found: UUID = made.data.id
    return found


async def test_the_key_interface_can_be_generated_from_too(tmp_path: Path) -> None:
    await generate("key-api", tmp_path)
    assert (tmp_path / NAME / "api" / "point_of_sale" / "create_pos_order.py").exists()
