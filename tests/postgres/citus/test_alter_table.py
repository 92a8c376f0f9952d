"""Citus adds a constraint only in a statement with no other action, so `migrate` runs the actions one by one."""

import pytest

from frontdesk.postgres.citus.alter_table import split_actions


@pytest.mark.parametrize(
    ("statement", "actions"),
    [
        ("ALTER TABLE orders ADD note text", ["ADD note text"]),
        ("ALTER TABLE orders ADD a text, ALTER b DROP NOT NULL", ["ADD a text", "ALTER b DROP NOT NULL"]),
        (
            "ALTER TABLE orders ADD a numeric(10, 3),\n    ADD CHECK (f(a, (b)) IN ('x', 'y,(')) NOT VALID",
            ["ADD a numeric(10, 3)", "ADD CHECK (f(a, (b)) IN ('x', 'y,(')) NOT VALID"],
        ),
        (
            "ALTER TABLE orders ADD a text DEFAULT 'it''s, so', ADD b text",
            ["ADD a text DEFAULT 'it''s, so'", "ADD b text"],
        ),
    ],
)
def test_each_action_of_an_alter_table_becomes_a_statement(statement: str, actions: list[str]) -> None:
    assert list(split_actions(statement)) == [f"ALTER TABLE orders {action}" for action in actions]


@pytest.mark.parametrize("statement", ["CREATE TABLE a (b text)", "ALTER DOMAIN a DROP NOT NULL", "SELECT f(1, 2)"])
def test_any_other_statement_stays_as_it_is(statement: str) -> None:
    assert list(split_actions(statement)) == [statement]
