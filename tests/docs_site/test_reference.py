"""Each operation has a page that agrees with the description, and its samples run."""

import asyncio
import json
import os
import re
import shutil

import pytest

from frontdesk.apis.openapi.build import NAMES, description
from frontdesk.docs_site.fields import Field
from frontdesk.docs_site.operations import Operation, operation_addresses, operations
from frontdesk.docs_site.samples import samples
from frontdesk.docs_site.search import search
from tests.support.service import Service
from tests.support.shop import Shop

OPERATIONS = operations()


def named(api: str, id_: str) -> Operation:
    return next(operation for operation in OPERATIONS if (operation.api, operation.id) == (api, id_))


def names_of(fields: list[Field]) -> set[str]:
    return {field.name for field in fields} | {name for field in fields for name in names_of(field.fields)}


def test_every_operation_has_an_address() -> None:
    published = sum(len(methods) for api in NAMES for methods in description(api)["paths"].values())
    assert {operation.address for operation in OPERATIONS} == operation_addresses().keys()
    assert len(OPERATIONS) == published


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: f"{operation.api}-{operation.id}")
def test_an_operation_shows_its_example_fields_errors_and_samples(operation: Operation) -> None:
    assert operation.errors
    if isinstance(operation.request, dict):
        assert operation.request.keys() <= names_of(operation.body)
    texts = samples(operation, "http://127.0.0.1:8000")
    compile(texts["Python"], operation.id, "exec")
    body = re.search(r"-d '(\{.*\})'$", texts["curl"], re.DOTALL)
    assert body is None or json.loads(body[1]) == operation.request


def test_a_field_of_some_alternatives_only_is_not_required() -> None:
    fields = {field.name: field for field in named("open-api", "create_token").body}
    assert fields["grant_type"].required
    assert not fields["code"].required
    assert set(fields["grant_type"].values) == {"client_credentials", "authorization_code"}


async def test_a_page_shows_what_to_send_and_what_comes_back(service: Service) -> None:
    page = (await service.http.get("/docs/reference/open-api/create_order")).text
    for text in ("<code>team_id</code>", "Required", "orders:write", "timeslot_<wbr>unavailable", "Idempotency-Key"):
        assert text in page
    assert f"<mark>{service.origin}</mark>/open-api/v1/orders" in page


async def test_the_samples_of_lists_run(service: Service, shop: Shop) -> None:
    if not shutil.which("curl"):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("curl is missing")
    lists = [operation for operation in OPERATIONS if operation.id.startswith("list_") and "{" not in operation.path]
    credentials = {"TOKEN": await shop.token(), "API_KEY": shop.sandbox.api_key}
    for operation in lists:
        command = samples(operation, service.origin)["curl"].replace("curl ", "curl -s -f -o /dev/null -k ", 1)
        process = await asyncio.create_subprocess_shell(command, env={**os.environ, **credentials})
        assert await process.wait() == 0, command
    assert len(lists) > 10


@pytest.mark.parametrize(
    ("typed", "meant"), [("refnud", "refund"), ("webhok", "webhook"), ("idempotancy key", "idempotency")]
)
def test_the_search_forgives_a_slip(typed: str, meant: str) -> None:
    assert meant in search(typed)[0].title.lower()


def test_the_search_finds_nothing_like_a_word_that_is_none() -> None:
    assert search("zzzzqq") == []
    assert search("") == []
