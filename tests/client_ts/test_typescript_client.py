"""The TypeScript client against this server: its own tests, the samples of its guide, and the example that uses it."""

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import httpx2
import pytest

from frontdesk.auth.credentials import format_application_id
from frontdesk.packages.typescript_package import FOLDER
from frontdesk.webhooks.signing import sign
from tests.client_ts.built import NODE, build_client, compile_program, environment_of_node, run, use_client
from tests.examples.consent import approve, forged
from tests.factories.credentials import make_client
from tests.support.applications import new_developer
from tests.support.service import Service
from tests.support.shop import OPEN_API

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "connect-typescript"
GUIDES = [ROOT / "frontdesk" / "docs_site" / "guides" / f"{name}.md" for name in ("typescript-client", "custom-data")]
SAMPLES = re.compile(r"^```ts\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECRET = "whsec_" + base64.b64encode(b"a secret of the tests, 32 bytes.").decode()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("client-ts")
    build_client(folder)
    return folder


@pytest.fixture(scope="module")
def programs(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, and the samples of the guides beside it: the compiler reads the types of the client once."""
    folder = tmp_path_factory.mktemp("programs") / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    for number, code in enumerate(samples()):
        (folder / "src" / f"sample{number}.ts").write_text(code)
    use_client(folder, built)
    compile_program(folder)
    return folder


def samples() -> list[str]:
    return [sample for guide in GUIDES for sample in SAMPLES.findall(guide.read_text("utf-8"))]


async def test_its_own_tests_pass(service: Service, built: Path) -> None:
    client = await make_client(await service.new_shop(), rate_limit=1_000_000)
    settings = {
        "FRONTDESK_BASE_URL": client.shop.origin + OPEN_API,
        "FRONTDESK_CLIENT_ID": client.name,
        "FRONTDESK_CLIENT_SECRET": client.secret,
        "FRONTDESK_DELIVERY": json.dumps(_delivery()),
    }
    files = sorted(str(path.relative_to(built)) for path in (built / "build" / "tests").glob("*.test.js"))
    assert len(files) == len(list((ROOT / "client-ts" / "tests").glob("*.test.ts")))
    said = await asyncio.to_thread(run, ["--test", "--test-reporter=tap", *files], built, **settings)
    assert "# skipped 0" in said


def test_the_package_that_the_service_offers_is_this_program(built: Path) -> None:
    """`make packages` compiles it."""
    compiled = {
        path.name: path.read_text() for path in (built / "dist").iterdir() if path.stem.partition(".")[0] != "schema"
    }
    offered = {path.name: path.read_text() for path in FOLDER.iterdir()}
    named = {name: (ROOT / "client-ts" / name).read_text() for name in ("package.json", "README.md")}
    assert offered == compiled | named


def _delivery() -> dict[str, object]:
    """As the server signs it."""
    body = b'{"id": "1", "type": "webhook.ping", "data": {}}'
    return {"body": body.decode(), "headers": sign("1", int(time.time()), body, [SECRET]), "secret": SECRET}


async def test_the_samples_of_its_guide_run(service: Service, programs: Path) -> None:
    sandbox = (await service.new_shop()).sandbox
    settings = {
        "BASE": service.origin + OPEN_API,
        "CLIENT_ID": sandbox.client_id,
        "CLIENT_SECRET": sandbox.client_secret,
    }
    numbers = range(len(samples()))
    assert len(numbers) > 3
    for number in numbers:
        await asyncio.to_thread(run, [f"dist/sample{number}.js"], programs, **settings)


async def test_the_example_connects_a_business_and_reads_its_branches(service: Service, programs: Path) -> None:
    developer = await new_developer(service)
    application_id = await developer.draft(scopes={"branches:read": ("To show them", True)})
    options = ["--origin", service.origin, "--client-id", format_application_id(application_id), "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        NODE,
        "dist/main.js",
        *options,
        cwd=programs,
        env=environment_of_node({}),
        start_new_session=True,  # the program is a child of the one that starts it
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        assert process.stdout is not None
        origin = (await process.stderr.readline()).decode().removeprefix("open ").strip().rstrip("/")
        here = f"/developer/applications/{application_id}/redirects"
        await developer.send(here, {"addresses": f"{origin}/connected"})
        async with developer.desk, httpx2.AsyncClient(base_url=origin, timeout=120) as browser:
            back = await approve(developer.desk, await browser.get("/connect"))
            async with httpx2.AsyncClient(base_url=origin, timeout=120) as victim:
                assert (await victim.get(back)).status_code == 400  # the answer of another visit
            assert "Its branches" in (await browser.get(back)).text
            assert (await browser.get(back)).status_code == 400
            again = await browser.get("/connect")
            assert "another service" in (await browser.get(forged(again))).text
        assert "fds_" in json.loads(await process.stdout.readline())["client_secret"]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        await process.communicate()
