"""Schemathesis reads the descriptions and tries to catch the living service lying: all checks.

`make torture` runs all phases, `make test` those of examples and of generated requests, the same ones each time.
"""

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from frontdesk.apis.openapi.build import description
from tests.apis.openapi.known import ids_of, with_known_ids
from tests.support.repetitions import LONG_SECONDS, repetitions
from tests.support.service import Service
from tests.support.shop import KEY_API, OPEN_API

pytestmark = [pytest.mark.torture, pytest.mark.timeout(1800)]

EXAMPLES = repetitions(1, long=100)
# With ids of the tenant in the description, requests get further than 404; without them it is as published.
KNOWS = [True, False] if LONG_SECONDS else [True]
PHASES = "examples,coverage,fuzzing,stateful" if LONG_SECONDS else "examples,fuzzing"
PROGRAM = Path(sys.executable).parent / "schemathesis"
# A sound request may name what is not there, or ask for what a rule forbids: no schema can say that. A caller
# that guesses secrets has to wait. An invalid request may also be too large to be read: that is 413.
SETTINGS = f"""
hooks = "{Path(__file__).with_name("schemathesis_hooks.py")}"

[checks.positive_data_acceptance]
expected-statuses = ["2xx", 304, 400, 401, 403, 404, 409, 422]

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]

[[operations]]
include-path-regex = "^/oauth/"
checks.positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 422, 429]
"""


@pytest.mark.parametrize("knows", KNOWS)
@pytest.mark.parametrize("name", ["open-api", "key-api"])
async def test_schemathesis_finds_no_deviation_from_the_openapi_description(
    name: str, knows: bool, service: Service, tmp_path: Path
) -> None:
    shop = await service.new_shop()
    document = description(name)
    if knows:
        document = with_known_ids(document, await ids_of(shop))
    (tmp_path / "openapi.json").write_bytes(msgspec.json.encode(document))
    (tmp_path / "settings.toml").write_text(SETTINGS)
    prefix = OPEN_API if name == "open-api" else KEY_API
    proof = (
        f"Authorization: Bearer {await shop.token()}" if name == "open-api" else f"X-Api-Key: {shop.sandbox.api_key}"
    )
    command = ["--config-file", "settings.toml", "run", "openapi.json", "--url", service.origin + prefix, "-H", proof]
    command += [
        "--checks",
        "all",
        "--phases",
        PHASES,
        "--max-examples",
        str(EXAMPLES),
        "--no-color",
        *(["--generation-database", "none"] if LONG_SECONDS else ["--generation-deterministic"]),
    ]
    running = await asyncio.create_subprocess_exec(
        PROGRAM, *command, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await running.communicate()
    assert running.returncode == 0, output.decode()
