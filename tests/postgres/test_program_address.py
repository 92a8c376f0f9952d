"""The address that pg_dump and psql get: the primary of several hosts, and no password that others can read."""

from urllib.parse import parse_qs, urlsplit

from frontdesk.postgres.backup import program_address


def _query(dsn: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(program_address(dsn)[0]).query)


def test_with_several_hosts_the_programs_look_for_the_one_that_accepts_writes() -> None:
    address, environment = program_address("postgresql://desk:p%40ss@first:5432,second:5433/desk?sslmode=require")
    assert address.startswith("postgresql://desk@first:5432,second:5433/desk?")
    assert environment["PGPASSWORD"] == "p@ss"
    assert parse_qs(urlsplit(address).query) == {
        "connect_timeout": ["5"],
        "sslmode": ["require"],
        "target_session_attrs": ["read-write"],
    }


def test_one_host_may_be_a_replica() -> None:
    assert _query("postgresql://desk@only/desk") == {"connect_timeout": ["5"]}


def test_the_address_may_say_otherwise() -> None:
    given = {"connect_timeout": ["30"], "target_session_attrs": ["standby"]}
    assert _query("postgresql://a,b/desk?target_session_attrs=standby&connect_timeout=30") == given


def test_a_password_in_the_query_is_in_the_environment_only() -> None:
    address, environment = program_address("postgresql:///desk?host=%2Frun&password=secret")
    assert environment["PGPASSWORD"] == "secret"
    assert address == "postgresql:///desk?connect_timeout=5&host=%2Frun"
