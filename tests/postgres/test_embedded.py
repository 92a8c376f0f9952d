import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.files import Account, choose_unix_user
from frontdesk.postgres.embedded.programs import WHEEL, find_bundled_binaries, reachable_programs
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from tests.postgres.server_owner import Owner, fetch, lives, mode, postmaster
from tests.support.waiting import wait_until

pytestmark = pytest.mark.every_statement

ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not ROOT, reason="changes user: run the tests as root to cover it")


@pytest.fixture
def place() -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to the user that root's server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    with EmbeddedPostgres(folder):
        pass
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def copied(template: Path) -> Callable[[Path], Path]:
    """Puts a cluster made once into a folder, which is quicker than making each anew."""

    def copy(folder: Path) -> Path:
        folder.mkdir(parents=True)
        subprocess.run(["cp", "-a", template / "pg", folder / "pg"], check=True)
        return folder

    return copy


@pytest.fixture
def data(place: Path, copied: Callable[[Path], Path]) -> Path:
    return copied(place / "data")


def test_a_fresh_folder_becomes_a_database_that_keeps_its_rows(place: Path) -> None:
    data = place / "new" / "data"
    with EmbeddedPostgres(data) as dsn:
        assert fetch(dsn, "SELECT current_database()") == "frontdesk"
        fetch(dsn, "CREATE TABLE kept AS SELECT 7 AS number")
        assert {entry.name for entry in data.iterdir()} == {"lock", "pg", "postgres.log", "run"}
        assert (mode(data / "pg"), mode(data / "run"), mode(data / "postgres.log")) == (0o700, 0o700, 0o600)
        pid = postmaster(data)
    assert not lives(pid)
    with EmbeddedPostgres(data) as dsn:
        assert fetch(dsn, "SELECT number FROM kept") == 7


def test_settings_of_the_caller_override_all_but_safety_settings(data: Path) -> None:
    wanted = {"work_mem": "5MB", "max_connections": "30", "fsync": "off", "listen_addresses": "*"}
    with EmbeddedPostgres(data, settings=wanted) as dsn:
        found = [fetch(dsn, f"SELECT current_setting('{name}')") for name in (*wanted, "jit", "timezone")]
    assert found == ["5MB", "30", "on", "", "off", "UTC"]


@pytest.mark.parametrize("name", ["بيانات with spaces ü", "a,b'c\"d%20&e=f?"])
def test_odd_folder_names_work(
    place: Path, copied: Callable[[Path], Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "6000")
    with EmbeddedPostgres(copied(place / name)) as dsn:
        assert fetch(dsn, "SELECT 1") == 1


def test_a_long_path_moves_the_socket_into_a_private_folder(place: Path, copied: Callable[[Path], Path]) -> None:
    data = copied(place / ("long" * 20) / ("longer" * 20))
    with EmbeddedPostgres(data) as dsn:
        assert fetch(dsn, "SELECT 1") == 1
        with EmbeddedPostgres(data) as attached:
            assert attached == dsn
        folder = (data / "run").readlink()
        assert (folder.parent, mode(folder)) == (Path("/tmp"), 0o700)
        assert folder.stat().st_uid == (data / "pg").stat().st_uid
    assert not folder.exists()


def test_a_socket_folder_that_is_open_to_others_is_not_used_again(place: Path, copied: Callable[[Path], Path]) -> None:
    data, planted = copied(place / ("long" * 20) / ("longer" * 20)), place / "planted"
    planted.mkdir()
    planted.chmod(0o777)
    os.chown(planted, (data / "pg").stat().st_uid, -1)
    (data / "run").symlink_to(planted)
    with EmbeddedPostgres(data):
        assert (data / "run").readlink() != planted
        assert mode((data / "run").readlink()) == 0o700
    assert mode(planted) == 0o777


@needs_root
def test_as_root_the_server_runs_as_another_user_and_lets_no_third_one_in(data: Path) -> None:
    above = mode(data.parent)
    with EmbeddedPostgres(data) as dsn:
        assert Path(f"/proc/{postmaster(data)}").stat().st_uid == pwd.getpwnam("nobody").pw_uid
        assert fetch(dsn, "SELECT system_user") == "peer:root"
        knock = "import os, socket, sys; os.setuid(1); socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
        door = data / "run" / ".s.PGSQL.5432"
        refused = subprocess.run([sys.executable, "-c", knock, door], capture_output=True, text=True, check=False)
    assert "PermissionError" in refused.stderr
    assert mode(data.parent) == above


@needs_root
def test_as_root_below_a_closed_folder_the_database_lives_elsewhere(place: Path) -> None:
    closed, site = place / "root", find_bundled_binaries().parents[2]
    closed.mkdir(mode=0o700)
    for part in (f"{WHEEL}/pginstall18", f"{WHEEL}.libs"):
        if (site / part).exists():
            shutil.copytree(site / part, closed / part)
    data, bin_dir = closed / "checkout" / "data", closed / WHEEL / "pginstall18" / "bin"
    try:
        with EmbeddedPostgres(data, bin_dir) as dsn:
            fetch(dsn, "CREATE TABLE kept AS SELECT 7 AS number")
        with EmbeddedPostgres(data, bin_dir) as dsn, EmbeddedPostgres(data, bin_dir) as attached:
            assert attached == dsn
            assert fetch(dsn, "SELECT number FROM kept") == 7
            home = (data / "elsewhere").readlink()
            assert (mode(closed), mode(home), mode(home / "pg")) == (0o700, 0o711, 0o700)
    finally:
        shutil.rmtree((data / "elsewhere").readlink())
    with pytest.raises(StartupError, match="which is missing"):
        EmbeddedPostgres(data, bin_dir).start()


@needs_root
def test_a_database_that_root_can_no_longer_serve_is_not_replaced_by_an_empty_one(data: Path) -> None:
    data.parent.chmod(0o700)
    with pytest.raises(StartupError, match="can no longer reach"):
        EmbeddedPostgres(data).start()


@pytest.fixture
def ordinary(place: Path) -> Iterator[dict[str, str]]:
    """How to run as a user who is not root, with programs that this user can reach."""
    if not ROOT:
        yield {}
        return
    user = pwd.getpwnam("daemon")
    account = Account(user.pw_name, user.pw_uid, user.pw_gid)
    programs = place / "programs-for-user"
    programs.mkdir()
    yield {"uid": str(user.pw_uid), "bin_dir": str(reachable_programs(find_bundled_binaries(), programs, account))}


def folder_of(ordinary: dict[str, str], path: Path) -> Path:
    path.mkdir()
    if ordinary:
        os.chown(path, int(ordinary["uid"]), int(ordinary["uid"]))
    return path


def test_an_ordinary_user_runs_the_server_as_itself(place: Path, ordinary: dict[str, str]) -> None:
    home = folder_of(ordinary, place / "home")
    owner = Owner(home / "data", **ordinary)
    try:
        assert owner.answer().startswith("postgresql://postgres@/frontdesk?host=")
        uid = home.stat().st_uid
        assert Path(f"/proc/{postmaster(home / 'data')}").stat().st_uid == uid
        assert {mode(home / "data"), mode(home / "data" / "run")} == {0o700}
    finally:
        owner.stop()
    # One start as root on the user's data leaves it the user's.
    with EmbeddedPostgres(home / "data") as dsn:
        assert fetch(dsn, "SELECT 1") == 1
    owner = Owner(home / "data", **ordinary)
    assert owner.answer().startswith("postgresql://")
    owner.stop()


def test_a_server_outlives_the_thread_but_not_the_process_that_started_it(data: Path) -> None:
    owner = Owner(data, thread="yes")
    dsn = owner.answer()
    pid = postmaster(data)
    assert fetch(dsn, "SELECT 1") == 1
    owner.kill()
    wait_until(lambda: not lives(pid))


def test_a_start_right_after_the_owner_was_killed_works(data: Path) -> None:
    owner = Owner(data)
    fetch(owner.answer(), "CREATE TABLE kept AS SELECT 7 AS number")
    owner.kill()
    with EmbeddedPostgres(data) as dsn:
        assert fetch(dsn, "SELECT number FROM kept") == 7


def test_a_statement_that_runs_while_the_owner_is_killed_is_executed(data: Path) -> None:
    owner = Owner(data)
    dsn = owner.answer()
    fetch(dsn, "CREATE TABLE kept (number integer)")
    with ThreadPoolExecutor(1) as pool, asyncio.Runner() as runner:
        holder = runner.run(asyncpg.connect(dsn))
        runner.run(holder.execute("SELECT pg_advisory_lock(1)"))
        running = pool.submit(fetch, dsn, "INSERT INTO kept SELECT 7 FROM pg_advisory_lock(1) RETURNING number")
        wait_until(lambda: bool(fetch(dsn, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'")))
        owner.kill()
        runner.run(holder.close())
        with EmbeddedPostgres(data) as started:
            assert running.result() == 7
            assert fetch(started, "SELECT number FROM kept") == 7


def test_a_server_left_behind_where_the_kernel_sends_no_signal_is_replaced(data: Path) -> None:
    owner = Owner(data, platform="darwin")
    fetch(owner.answer(), "CREATE TABLE kept AS SELECT 7 AS number")
    left = postmaster(data)
    owner.kill()
    assert lives(left)
    with EmbeddedPostgres(data) as dsn:
        assert not lives(left)
        assert fetch(dsn, "SELECT number FROM kept") == 7


@pytest.mark.parametrize("reused", [False, True])
def test_after_a_power_cut_the_next_start_recovers(data: Path, reused: bool) -> None:
    owner = Owner(data)
    fetch(owner.answer(), "CREATE TABLE kept AS SELECT 7 AS number")
    pid = postmaster(data)
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for victim in (pid, *map(int, children)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    owner.kill()
    account = choose_unix_user(data)
    with subprocess.Popen(["sleep", "600"], user=account.switched_uid, group=account.switched_gid) as stranger:
        try:
            if reused:
                for path in (data / "pg" / "postmaster.pid", data / "run" / ".s.PGSQL.5432.lock"):
                    path.write_text(path.read_text().replace(str(pid), str(stranger.pid), 1))
            with EmbeddedPostgres(data) as dsn:
                assert fetch(dsn, "SELECT number FROM kept") == 7
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_a_server_started_by_hand_is_noticed_and_goes_on(data: Path) -> None:
    account = choose_unix_user(data)
    postgres, cluster, pid_file = find_bundled_binaries() / "postgres", data / "pg", data / "pg" / "postmaster.pid"
    command = [str(postgres), "-D", str(cluster), "-k", str(cluster), "-c", "listen_addresses="]
    user, group = account.switched_uid, account.switched_gid
    with subprocess.Popen(command, user=user, group=group, cwd="/", stderr=subprocess.DEVNULL) as by_hand:
        try:
            wait_until(lambda: pid_file.exists() and "ready" in pid_file.read_text())
            with pytest.raises(StartupError, match="shared memory"):
                EmbeddedPostgres(data).start()
            assert by_hand.poll() is None
            assert postmaster(data) == by_hand.pid
        finally:
            by_hand.send_signal(signal.SIGINT)


def test_of_two_processes_started_at_once_one_owns_the_database_and_one_attaches(place: Path) -> None:
    data = place / "data"
    owners = [Owner(data), Owner(data)]
    try:
        first, second = (owner.answer() for owner in owners)
        assert first == second
        parent = int(Path(f"/proc/{postmaster(data)}/stat").read_text().rpartition(")")[2].split()[1])
        owners.sort(key=lambda owner: owner.process.pid != parent)
        assert owners[0].process.pid == parent
        owners.pop().stop()
        assert fetch(first, "SELECT 1") == 1
    finally:
        for owner in owners:
            owner.stop()


def test_an_attached_process_can_own_the_database_after_the_owner_stopped(data: Path) -> None:
    owner, other = EmbeddedPostgres(data), EmbeddedPostgres(data)
    dsn = owner.start()
    assert other.start() == dsn
    owner.stop()
    with pytest.raises(OSError, match=r"No such file|refused"):
        fetch(dsn, "SELECT 1")
    other.stop()
    with other as again:
        assert fetch(again, "SELECT 1") == 1


def test_a_start_killed_while_the_cluster_is_made_leaves_nothing_in_the_way(place: Path) -> None:
    data = place / "data"
    owner = Owner(data)
    wait_until(lambda: any(data.glob("pg.new-*/PG_VERSION")))
    owner.kill()
    with EmbeddedPostgres(data):
        assert not any(data.glob("pg.new-*"))


def test_a_dropped_database_is_made_again(data: Path) -> None:
    with EmbeddedPostgres(data) as dsn:
        fetch(dsn.replace("/frontdesk?", "/postgres?"), "DROP DATABASE frontdesk")
        with EmbeddedPostgres(data) as attached:
            assert fetch(attached, "SELECT 1") == 1


def test_a_log_that_grew_too_long_is_put_aside(data: Path) -> None:
    log = data / "postgres.log"
    log.touch()
    os.truncate(log, 11 * 1024 * 1024)
    with EmbeddedPostgres(data):
        assert log.stat().st_size < 1024 * 1024
    assert (data / "postgres.log.1").stat().st_size == 11 * 1024 * 1024


def assert_one_line(error: str, *words: str) -> None:
    assert "\n" not in error
    for word in words:
        assert word in error


def test_a_file_in_the_place_of_the_folder_is_named(place: Path) -> None:
    (place / "data").touch()
    with pytest.raises(StartupError) as caught:
        EmbeddedPostgres(place / "data").start()
    assert_one_line(str(caught.value), str(place / "data"), "it is a file", "FRONTDESK_DATA_DIR")


def test_a_folder_that_cannot_be_written_is_named(place: Path, ordinary: dict[str, str]) -> None:
    data = folder_of(ordinary, place / "data")
    data.chmod(0o500)
    owner = Owner(data, **ordinary)
    assert_one_line(owner.answer(), "StartupError:", str(data), "Permission denied", "FRONTDESK_DATA_DIR")
    owner.stop()
    data.chmod(0o700)


def test_a_full_disk_is_reported_and_leaves_no_partial_cluster(place: Path) -> None:
    data = place / "data"
    owner = Owner(data, fsize="100000")
    assert_one_line(owner.answer(), "StartupError:", str(data), "FRONTDESK_DATA_DIR")
    owner.stop()
    assert {entry.name for entry in data.iterdir()} <= {"lock"}


def test_a_folder_without_programs_is_named(place: Path) -> None:
    with pytest.raises(StartupError) as caught:
        EmbeddedPostgres(place / "data", place).start()
    assert_one_line(str(caught.value), str(place), "FRONTDESK_PG_BIN")


def test_data_of_another_version_is_refused_untouched(place: Path) -> None:
    data = place / "data"
    (data / "pg").mkdir(parents=True)
    (data / "pg" / "PG_VERSION").write_text("16\n")
    with pytest.raises(StartupError) as caught:
        EmbeddedPostgres(data).start()
    assert_one_line(str(caught.value), str(data / "pg"), "PostgreSQL 16", "18", "FRONTDESK_PG_BIN")
    assert not (data / "postgres.log").exists()


def test_other_things_in_the_place_of_the_cluster_are_left_alone(place: Path) -> None:
    data = place / "data"
    (data / "pg" / "base").mkdir(parents=True)
    with pytest.raises(StartupError, match="move it away"):
        EmbeddedPostgres(data).start()
    assert (data / "pg" / "base").is_dir()


def test_a_server_that_ends_at_start_is_quoted_and_frees_the_folder(data: Path) -> None:
    with pytest.raises(StartupError) as caught:
        EmbeddedPostgres(data, settings={"no_such_setting": "1"}).start()
    assert_one_line(str(caught.value), "no_such_setting", str(data / "postgres.log"))
    with EmbeddedPostgres(data):
        pass
