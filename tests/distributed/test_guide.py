"""The commands of the guide about a distributed database, run in its order: one filled database, then four nodes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from tests.docs_site.distributed_guide import commands
from tests.support.programs.commands import settings_environment
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.citus import COPY_SECONDS, node_addresses, socket_folder, spare_address
from tests.support.servers.clusters import connect_as_admin, in_database, migrate_template

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(COPY_SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` runs it: it copies and splits every table"),
    pytest.mark.skipif(not shutil.which("psql"), reason="psql is missing: apt-get install postgresql-client"),
]
NODES = ("10.0.0.10", "10.0.0.11", "10.0.0.12", "10.0.0.13")
FREE = {"statement_timeout": "0", "lock_timeout": "0"}


async def test_every_command_of_the_guide_works(cluster_dsn: str) -> None:
    name = f"guide_{uuid4().hex}"
    nodes = [in_database(address, name) for address in (*node_addresses(cluster_dsn), spare_address(cluster_dsn))]
    for address in nodes:
        raw = await connect_as_admin(address)
        await raw.execute(f"CREATE DATABASE {name}")
        await raw.execute(f"ALTER SYSTEM SET citus.local_hostname = '{socket_folder(address)}'")
        await raw.fetchval("SELECT pg_reload_conf()")
        await raw.close()
    await migrate_template(nodes[0])
    raw = await connect(nodes[0], settings=FREE)
    business = (await create_sandbox(Connection(raw))).tenant_id
    await raw.close()

    folders = [socket_folder(address) for address in nodes]
    for command in commands():
        text = command.replace("-d frontdesk", f"-d {name}").replace("my-studio", str(business))
        for address, folder in zip(NODES, folders, strict=True):
            text = text.replace(address, folder)
        for folder in folders if "EXTENSION" in text else folders[:1]:
            run(text, folder, nodes[0])
    shown = json.loads(run("frontdesk cluster --json", folders[0], nodes[0]))
    assert [(node["name"], node["businesses"]) for node in shown if node["businesses"]] == [(folders[1], 1)]
    run("frontdesk check", folders[0], nodes[0])


def run(command: str, folder: str, coordinator: str) -> str:
    parts = urlsplit(coordinator)
    url = urlunsplit(parts._replace(query=parts.query.partition("&options")[0]))  # as an operator has it
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    given = settings_environment(database_url=url, distributed="citus") | {"PATH": path, "PGHOST": folder}
    done = subprocess.run(
        ["bash", "-euc", command],
        env=given | {"PGUSER": "postgres", "PGPORT": "5432"},
        capture_output=True,
        text=True,
        timeout=COPY_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
