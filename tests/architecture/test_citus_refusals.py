"""What Citus refuses in statements that change rows of tenants; Citus 13.2 was seen to refuse each (decision 36)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import frontdesk
from frontdesk.auth.authenticate import _alone
from frontdesk.postgres.citus.distribute import COORDINATOR_TABLES, REFERENCE_TABLES
from frontdesk.postgres.write import _sql, _try_sql
from tests.architecture.statements import statements

_FUNCTIONS = {
    path.stem: path.read_text("utf-8")
    for path in sorted((Path(frontdesk.__file__).parent / "postgres" / "functions").glob("*.sql"))
}
_NOT_CODE = re.compile(r"--[^\n]*|'(?:[^']|'')*'")
# To the end of the statement, or to the body of a loop over what it returns.
_CHANGE = re.compile(
    r"\b(?:(?<!FOR )(?<!KEY )(?:UPDATE|DELETE FROM) (\w+|‹›)|DO\s+UPDATE\s+SET ())(?:(?!\bLOOP\b)[^;])*"
)
_CLOCK = re.compile(r"\b(?:now|clock_timestamp)\(\)")
_SESSION = re.compile(rf"{_CLOCK.pattern}|\)::timestamptz\b")  # $1::timestamptz only names a type
_INSERT = re.compile(r"\bINSERT\s+INTO (\w+|‹›)[^;]*")
_SIMPLE_CASE = re.compile(r"\bCASE\b(?!\s+WHEN\b)")
_COLUMN_AND_INTERVAL = re.compile(r"\b\w+_(?:at|until) [-+] ")
_READS = re.compile(
    r"\b(?:clock_timestamp|gen_random_uuid|{})\(".format(
        "|".join(name for name, sql in _FUNCTIONS.items() if " IMMUTABLE" not in sql)
    )
)


def _changes(kind: re.Pattern[str] = _CHANGE) -> Iterator[tuple[str, str]]:
    texts = [*_FUNCTIONS.items(), *((str(statement), statement.text) for statement in statements())]
    for name, text in texts:
        for found in kind.finditer(_NOT_CODE.sub("''", text)):
            if found[1] not in COORDINATOR_TABLES:
                yield name, found[0]


def _in_brackets(text: str, opening: str) -> list[str]:
    """What begins with `opening`, to the bracket that closes it."""
    found = []
    for start in re.finditer(opening, text):
        depth, end = 1, start.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[start.start() : end])
    return found


def _refused(is_refused: Callable[[str], object], kind: re.Pattern[str] = _CHANGE) -> list[str]:
    return sorted({name for name, text in _changes(kind) if is_refused(text)})


def test_there_are_statements_to_check() -> None:
    found = {name.split(" ")[0] for name, _ in _changes()}
    assert found > {"change_order_status", "edit_order", "auth/client_queries.py"}


def test_no_choice_depends_on_the_clock_or_the_time_zone() -> None:
    """`least(column, now())` keeps an earlier time, and conditions are written out: `x IS NULL OR x < now()`."""

    def depends(text: str) -> bool:
        cases = re.findall(r"\bCASE\b.*?\bEND\b", text, re.DOTALL)
        return any(_SESSION.search(choice) for choice in (*cases, *_in_brackets(text, r"\bcoalesce\(")))

    assert _refused(depends) == []


def test_every_case_has_conditions() -> None:
    """Citus tells the node `CASE x WHEN (x = 'a')` where we wrote `CASE x WHEN 'a'`."""
    assert _refused(_SIMPLE_CASE.search) == []
    assert _refused(_SIMPLE_CASE.search, _INSERT) == []


def test_inserted_values_are_no_subqueries() -> None:
    def asks(text: str) -> bool:
        return any(re.search(r"\(\s*SELECT\b", values) for values in _in_brackets(text, r"\bVALUES\s*\("))

    assert _refused(asks, _INSERT) == []


def test_functions_that_read_are_called_before_or_in_a_subquery() -> None:
    def reads(text: str) -> bool:
        for subquery in _in_brackets(text, r"\(\s*SELECT\b"):
            text = text.replace(subquery, "")
        return _READS.search(text) is not None

    assert _refused(reads) == []


def test_the_clock_is_not_read_for_a_row_that_exists_already() -> None:
    """`DO UPDATE SET updated_at = excluded.updated_at`, which has its default."""
    reading = _refused(lambda text: text.startswith("DO") and _CLOCK.search(text))
    assert reading == ["postgres/schema/replace_functions.py _replace"]  # a table of the coordinator


def test_what_is_returned_does_not_depend_on_the_clock() -> None:
    assert _refused(lambda text: _CLOCK.search(text.partition("RETURNING")[2])) == []


def test_a_question_to_all_nodes_selects_something() -> None:
    """Citus gathers the rows of the nodes in a table, which needs a column."""
    elsewhere = (*COORDINATOR_TABLES, *REFERENCE_TABLES, "pg_")
    questions = [
        (str(statement), question)
        for statement in statements()
        for question in _in_brackets(statement.text, r"\bEXISTS\s*\(\s*SELECT FROM (?!{})".format("|".join(elsewhere)))
    ]
    assert questions
    assert [name for name, question in questions if not re.search(r"\btenant_id = |\bid = \$", question)] == []


def test_rows_are_locked_in_one_business() -> None:
    """A lock over several nodes is refused, so a queue is asked for one business at a time (`QueueScope`)."""
    locking = [statement for statement in statements() if "SKIP LOCKED" in statement.text]
    assert {statement.file for statement in locking} > {"exports/record_queries.py", "messages/queue_queries.py"}
    elsewhere = {"postgres/batched_delete.py", "messages/account_queue_queries.py"}  # falls back; on the coordinator
    scoped = re.compile(r"scope\.condition|\(scope, ")
    assert [
        str(statement)
        for statement in locking
        if statement.file not in elsewhere and not any(scoped.search(hole) for hole in statement.holes)
    ] == []


@pytest.mark.parametrize("function", ["authenticate_access_token", "authenticate_api_key"])
def test_authentication_reads_through_functions(function: str) -> None:
    """Its tables are joined with what a function returns, and a subquery about that is refused."""
    assert re.findall(r"\bSELECT\b", _alone(function)) == ["SELECT"]


def test_a_write_is_a_call_and_nothing_else() -> None:
    """So that Citus sends it to the tenant's node (decision 119). That no transaction is open is checked by the
    statement budgets."""
    assert re.fullmatch(r"SELECT run_act\(\$1(?:, (?:'\w+'|NULL|\$\d))+\)", _sql("create_order", "order_document"))
    assert re.fullmatch(r"SELECT try_act\(\$1(?:, (?:'\w+'|NULL|\$\d))+\)", _try_sql("create_order", "order_document"))
    for name in ("run_act", "try_act"):
        assert re.search(rf"FUNCTION {name}\(\s*p_tenant uuid", _FUNCTIONS[name])


def _calls_to_the_coordinator() -> tuple[set[str], re.Pattern[str]]:
    """Functions that use a table of the coordinator, and calls of them."""
    tables = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE) (?:{})\b".format("|".join(COORDINATOR_TABLES)))
    using = {name for name, text in _FUNCTIONS.items() if tables.search(text)}
    return using, re.compile(r"\b(?:{})\(".format("|".join(using)))


def test_functions_of_a_tenant_need_no_table_of_the_coordinator() -> None:
    """They run on the tenant's node, which does not have it."""
    using, calls = _calls_to_the_coordinator()
    assert "find_user_session" in using
    of_tenants = [name for name, text in _FUNCTIONS.items() if re.search(r"FUNCTION \w+\(\s*p_tenant uuid", text)]
    assert "create_order" in of_tenants
    assert [name for name in of_tenants if name in using or calls.search(_FUNCTIONS[name])] == []


def test_a_statement_about_a_tenant_calls_no_function_of_the_coordinator() -> None:
    """It runs on the tenant's node as a whole, which asks the coordinator about sessions and nothing else."""
    _, calls = _calls_to_the_coordinator()
    calling = [statement for statement in statements() if calls.search(statement.text.replace("last_seen_at(", ""))]
    assert calling
    assert [str(statement) for statement in calling if "tenant_id = $" in statement.text] == []


def test_no_interval_is_added_to_a_column() -> None:
    """The sum depends on the time zone of the session."""
    assert _refused(_COLUMN_AND_INTERVAL.search) == []
