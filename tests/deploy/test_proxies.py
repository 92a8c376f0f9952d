"""The samples of reverse proxies in deploy/, each started in front of the service. One of its two servers is down."""

import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.programs.commands import free_port
from tests.support.repetitions import LONG_SECONDS, share
from tests.support.servers.faulty_proxy import faulty_proxy
from tests.support.service import Service, running_service
from tests.support.shop import OPEN_API
from tests.support.waiting import eventually

DEPLOY = Path(__file__).parents[2] / "deploy"


class Proxy(NamedTuple):
    program: str
    sample: str
    start: tuple[str, ...]  # {} is the configuration
    replaced: tuple[tuple[str, str], ...]  # regular expressions; the new texts have the fields of _fill


PROXIES = (
    Proxy(
        "haproxy",
        "haproxy.cfg",
        ("-f", "{}"),
        (
            (r" *(user|group) haproxy\n", ""),  # which only root can become
            (r"bind :80\n", "bind 127.0.0.1:{plain}\n"),
            (r"bind :443", "bind 127.0.0.1:{tls}"),
            (r"/etc/.*\.pem", "{pem}"),
        ),
    ),
    Proxy(
        "nginx",
        "nginx.conf",
        ("-g", "daemon off; pid {folder}/pid; error_log stderr;", "-e", "stderr", "-p", "{folder}", "-c", "{}"),
        (
            (r"listen 80;", "listen 127.0.0.1:{plain};"),
            (r"listen 443 ", "listen 127.0.0.1:{tls} "),
            (r"/etc/nginx/frontdesk\.(crt|key)", "{pem}"),
            (r"http \{", "http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};"),
        ),
    ),
    Proxy(
        "caddy",
        "Caddyfile",
        ("run", "--adapter", "caddyfile", "--config", "{}"),
        (
            (
                r"^desk.example.com \{",
                "https://127.0.0.1:{tls} {{\n\ttls {pem} {pem}",
            ),
        ),
    ),
)


def _fill(proxy: Proxy, folder: Path, **fields: object) -> Path:
    text = (DEPLOY / proxy.sample).read_text("utf-8")
    for pattern, new in proxy.replaced:
        text, count = re.subn(pattern, new.format(folder=folder, **fields), text, flags=re.MULTILINE)
        assert count, (proxy.sample, pattern)
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{free_port()}")  # nobody listens there
    text = text.replace("127.0.0.1:8001", f"127.0.0.1:{fields['service']}")
    path = folder / proxy.sample
    path.write_text(text, "utf-8")
    return path


def _certificate(folder: Path) -> Path:
    path = folder / "frontdesk.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run([*command, *names, "-keyout", path, "-out", folder / "crt"], check=True, capture_output=True)
    path.write_text((folder / "crt").read_text() + path.read_text())
    return path


@contextmanager
def _running(proxy: Proxy, config: Path, folder: Path) -> Iterator[None]:
    program = shutil.which(proxy.program) or shutil.which(proxy.program, path="/usr/sbin")
    if program is None:
        is_wanted = proxy is PROXIES[0] and os.environ.get("CI") == "true"  # tests/prepare.py installs the first one
        (pytest.fail if is_wanted else pytest.skip)(f"{proxy.program} is missing: apt-get install {proxy.program}")
    arguments = [argument.replace("{}", str(config)).replace("{folder}", str(folder)) for argument in proxy.start]
    environment = {**os.environ, "HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen([program, *arguments], stdout=log, stderr=log, env=environment)
        try:
            yield
        finally:
            running.terminate()
            running.wait()


@asynccontextmanager
async def _behind(proxy: Proxy, dsn: str, folder: Path) -> AsyncIterator[tuple[Service, httpx2.AsyncClient]]:
    plain, tls = free_port(), free_port()
    origin = f"https://127.0.0.1:{tls}"
    async with running_service(dsn, origin=origin, trusted_proxies=("127.0.0.1",)) as service:
        config = _fill(
            proxy, folder, plain=plain, tls=tls, pem=_certificate(folder), service=urlsplit(service.origin).port
        )
        with _running(proxy, config, folder):
            async with httpx2.AsyncClient(base_url=origin, verify=False, timeout=120) as http:
                await eventually(lambda: _is_ready(http))
                yield service, http


async def _is_ready(http: httpx2.AsyncClient) -> bool:
    try:
        return (await http.get("/health/ready")).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.mark.torture  # `make test` tries the first one
@pytest.mark.parametrize("proxy", share(PROXIES, 0, 3), ids=lambda proxy: proxy.program)
async def test_the_sample_of_a_proxy_serves_pages_the_api_and_events(dsn: str, tmp_path: Path, proxy: Proxy) -> None:
    async with _behind(proxy, dsn, tmp_path) as (service, http):
        page = await http.get("/sign-in")
        assert (page.status_code, "Strict-Transport-Security" in page.headers) == (200, True)
        shop = await service.new_shop()
        token = {"Authorization": f"Bearer {await shop.token()}"}
        for _ in range(5):  # to whichever server it is sent
            assert (await http.get(f"{OPEN_API}/branches", headers=token)).status_code == 200
        desk = await dashboard_of(shop, await owner_of(shop))
        session = {"Cookie": f"__Host-frontdesk_session={desk.http.cookies['frontdesk_session']}"}
        async with http.stream("GET", "/live?after=0", headers={**session, "Accept": "text/event-stream"}) as events:
            await anext(events.aiter_bytes())  # it arrives while the answer goes on


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="it waits until a proxy has taken its servers out: `make torture` runs it")
@pytest.mark.parametrize(
    ("proxy", "sign"),
    [(PROXIES[0], "has no server available"), (PROXIES[2], "status code out of tolerances")],
    ids=["haproxy", "caddy"],
)
async def test_the_service_itself_answers_while_the_database_fails_over(
    dsn: str, tmp_path: Path, proxy: Proxy, sign: str
) -> None:
    async with faulty_proxy(dsn) as database, _behind(proxy, database.dsn, tmp_path) as (service, http):
        token = {"Authorization": f"Bearer {await (await service.new_shop()).token()}"}
        database.freeze()
        await eventually(lambda: sign in (tmp_path / "log").read_text())
        assert (await http.get("/docs/guides/monitoring")).status_code == 200
        answer = await http.get(f"{OPEN_API}/branches", headers=token)
        assert (answer.status_code, "Retry-After" in answer.headers) == (503, True)
        database.heal()
        await eventually(lambda: _is_ready(http))
