"""A highly available PostgreSQL on this machine: etcd, and two servers under Patroni with the sample of deploy/."""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from tests.support.programs.commands import free_port
from tests.support.servers.tcp_proxy import TcpProxy, tcp_proxy
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import eventually

SAMPLE = Path(__file__).parents[3] / "deploy" / "patroni" / "patroni.yml"
_PROGRAMS = Path("/usr/lib/postgresql/15/bin")
_WAIT = 120.0


class Node:
    """One machine: Patroni, its PostgreSQL, and its lines to etcd and to everybody else."""

    def __init__(self, name: str, folder: Path, database: TcpProxy, etcd: TcpProxy, ports: tuple[int, int]) -> None:
        self.name = name
        self.database = database
        self._folder = folder
        self._etcd = etcd
        self._port, self._rest = ports
        self._process: subprocess.Popen[bytes] | None = None

    def write_settings(self) -> None:
        settings: dict[str, Any] = yaml.safe_load(SAMPLE.read_text("utf-8"))
        rest = f"127.0.0.1:{self._rest}"
        settings |= {"name": self.name, "restapi": {"listen": rest, "connect_address": rest}}
        settings["etcd3"] = {"hosts": f"127.0.0.1:{self._etcd.port}", "use_proxies": True}
        settings["postgresql"] |= {
            "listen": f"127.0.0.1:{self._port}",
            "connect_address": f"127.0.0.1:{self.database.port}",
            "data_dir": str(self._folder / self.name),
            "pgpass": str(self._folder / f"{self.name}.pgpass"),
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.1/32 trust",
                "host replication all 127.0.0.1/32 trust",
            ],
        }
        settings["postgresql"]["parameters"]["unix_socket_directories"] = str(self._folder)
        self.settings.write_text(yaml.safe_dump(settings), "utf-8")

    @property
    def settings(self) -> Path:
        return self._folder / f"{self.name}.yml"

    def start(self) -> None:
        self._process = run_unprivileged(["patroni", str(self.settings)], self._folder / f"{self.name}.log")

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def cut(self) -> None:
        self.database.cut()
        self._etcd.cut()

    def heal(self) -> None:
        self.database.heal()
        self._etcd.heal()

    def stop(self) -> None:
        self.thaw()
        self.kill()

    def _signal(self, number: signal.Signals) -> None:
        """Patroni, the server that it started, and the server's processes."""
        for pid in [self._process.pid if self._process else None, *self._server_processes()]:
            if pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

    def _server_processes(self) -> list[int]:
        with suppress(OSError):
            server = int((self._folder / self.name / "postmaster.pid").read_text().split()[0])
            return [server, *map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split())]
        return []

    async def is_leader(self) -> bool:
        return (await self._status("/leader")) == 200

    async def is_synchronous(self) -> bool:
        return (await self._status("/sync")) == 200

    async def _status(self, path: str) -> int:
        with suppress(httpx2.HTTPError):
            async with httpx2.AsyncClient(timeout=2, verify=NO_CERTIFICATES) as http:
                return (await http.get(f"http://127.0.0.1:{self._rest}{path}")).status_code
        return 0


class PatroniCluster:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes

    @property
    def dsn(self) -> str:
        hosts = ",".join(f"127.0.0.1:{node.database.port}" for node in self.nodes)
        return f"postgresql://postgres@{hosts}/postgres?target_session_attrs=read-write"

    async def leader(self) -> Node:
        found: list[Node] = []

        async def is_found() -> bool:
            found[:] = [node for node in self.nodes if await node.is_leader()]
            return len(found) == 1

        await eventually(is_found, _WAIT)
        return found[0]

    async def whole(self) -> None:
        """Until one node leads, and another one has everything that it has."""

        async def is_whole() -> bool:
            leading = [node for node in self.nodes if await node.is_leader()]
            followers = [node for node in self.nodes if node not in leading]
            return len(leading) == 1 and any([await node.is_synchronous() for node in followers])

        await eventually(is_whole, _WAIT)

    async def switch_over(self) -> None:
        leader = await self.leader()
        command = ["patronictl", "-c", str(leader.settings), "switchover", "--force", "--master", leader.name]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@asynccontextmanager
async def running_patroni() -> AsyncIterator[PatroniCluster]:
    for program in ("patroni", "etcd"):
        if shutil.which(program) is None:
            pytest.skip("Patroni or etcd is missing: apt-get install patroni etcd-server etcd-client")
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-patroni-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    client, peer = free_port(), free_port()
    etcd = run_unprivileged(
        [
            "etcd",
            f"--data-dir={folder / 'etcd'}",
            f"--listen-client-urls=http://127.0.0.1:{client}",
            f"--advertise-client-urls=http://127.0.0.1:{client}",
            f"--listen-peer-urls=http://127.0.0.1:{peer}",
            f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
            f"--initial-cluster=default=http://127.0.0.1:{peer}",
        ],
        folder / "etcd.log",
    )
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(etcd.wait)
        stack.callback(etcd.kill)
        nodes = []
        for name in ("db1", "db2"):
            port = free_port()
            database = await stack.enter_async_context(tcp_proxy(port))
            to_etcd = await stack.enter_async_context(tcp_proxy(client))
            node = Node(name, folder, database, to_etcd, (port, free_port()))
            node.write_settings()
            stack.callback(node.stop)
            nodes.append(node)
        cluster = PatroniCluster(nodes)
        nodes[0].start()
        await cluster.leader()
        nodes[1].start()
        await cluster.whole()
        yield cluster


def run_unprivileged(command: Sequence[str], log: Path) -> "subprocess.Popen[bytes]":
    """PostgreSQL does not run as root."""
    other: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        other = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    environment = {**os.environ, "PATH": f"{_PROGRAMS}:{os.environ['PATH']}", "HOME": str(log.parent)}
    with log.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, env=environment, start_new_session=True, **other)
