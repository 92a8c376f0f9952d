"""What the statements of a migration do to programs that use the tables: locks, reading or rewriting of all rows.

`effects` is shown by `frontdesk migrate --plan`. `refusals` says which of them must not be released, and what to write
instead; tests/architecture/test_migrations.py asks it about every migration. A statement that no rule knows is refused.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from frontdesk.postgres.schema.migration_files import Migration

Work = Literal["", "reads", "rewrites", "batches"]
_EXCLUSIVE = "ACCESS EXCLUSIVE"  # nobody reads or writes the table
_NO_WRITES = "SHARE ROW EXCLUSIVE"
_HARMLESS = "SHARE UPDATE EXCLUSIVE"  # others read and write


class Effect(NamedTuple):
    statement: str
    table: str | None  # one that existed before the migration
    lock: str = ""
    work: Work = ""
    instead: str | None = None  # why it is refused
    is_contract: bool = False  # a program of the version before may fail afterwards


class Rule(NamedTuple):
    pattern: re.Pattern[str]
    lock: str
    work: Work = ""
    instead: str | None = None
    is_contract: bool = False


def _rule(
    pattern: str, lock: str = "", work: Work = "", instead: str | None = None, *, is_contract: bool = False
) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), lock, work, instead, is_contract)


# Of the actions of ALTER TABLE. The first rule that matches decides.
_ACTIONS = (
    _rule(r"ADD (CONSTRAINT \w+ )?CHECK\b.* NOT VALID$", _EXCLUSIVE),
    _rule(r"ADD (CONSTRAINT \w+ )?FOREIGN KEY\b.* NOT VALID$", _NO_WRITES),
    _rule(r"ADD CONSTRAINT \w+ (UNIQUE|PRIMARY KEY) USING INDEX ", _EXCLUSIVE),
    _rule(
        r"ADD (CONSTRAINT\b|CHECK\b|FOREIGN KEY\b|UNIQUE\b|PRIMARY KEY\b|EXCLUDE\b)",
        *(_EXCLUSIVE, "reads", "add it NOT VALID and validate it in the next migration, or build its index first"),
    ),
    _rule(r"VALIDATE CONSTRAINT ", _HARMLESS, "reads"),
    _rule(
        r"ADD .*(\bDEFAULT (?!now\(\))[^,]*\w\(|\bGENERATED\b|\b(small|big)?serial\b)",
        *(_EXCLUSIVE, "rewrites", "add the column without a value, and fill it in batches"),
    ),
    _rule(
        r"ADD .*\b(REFERENCES|CHECK|UNIQUE|PRIMARY KEY)\b",
        *(_EXCLUSIVE, "reads", "add the column first, and its constraint NOT VALID"),
    ),
    _rule(r"ADD (?!.*DEFAULT).*\bNOT NULL\b", _EXCLUSIVE, "reads", "give the column a default"),
    _rule(r"ADD ", _EXCLUSIVE),
    _rule(
        r"ALTER (COLUMN )?\w+ (SET DATA )?TYPE ",
        *(_EXCLUSIVE, "rewrites", "add a column of the new type, and fill it in batches"),
    ),
    _rule(
        r"ALTER (COLUMN )?\w+ SET NOT NULL",
        *(_EXCLUSIVE, "reads", "validate CHECK (column IS NOT NULL) in a migration before"),
    ),
    _rule(r"ALTER (COLUMN )?\w+ ((SET|DROP) DEFAULT|DROP NOT NULL|SET (STORAGE|STATISTICS|COMPRESSION))", _EXCLUSIVE),
    _rule(r"DROP CONSTRAINT ", _EXCLUSIVE),
    _rule(r"(DROP|RENAME) ", _EXCLUSIVE, is_contract=True),
    _rule(r"(SET|RESET) \(", _HARMLESS),
    _rule(r"(ENABLE|DISABLE) TRIGGER ", _NO_WRITES),
)
# Of whole statements. The first group, where there is one, is the table.
_STATEMENTS = (
    _rule(r"CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?\w+ ON (\w+)", _HARMLESS, "reads"),
    _rule(r"DROP INDEX CONCURRENTLY ", is_contract=True),
    _rule(r"CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)", "SHARE", "reads", "create it CONCURRENTLY, in a file of its own"),
    _rule(r"CREATE (?:UNLOGGED )?TABLE "),
    _rule(r"CREATE (?:OR REPLACE )?TRIGGER .* ON (\w+)", _NO_WRITES),
    _rule(r"CREATE (?:OR REPLACE )?(?:FUNCTION|VIEW|TYPE|DOMAIN|EXTENSION)\b|COMMENT |GRANT |REVOKE |SELECT \w+\("),
    _rule(r"ALTER TYPE \w+ ADD VALUE |ALTER DOMAIN .* NOT VALID$|ALTER (?:FUNCTION|VIEW) "),
    _rule(
        r"ALTER DOMAIN \w+ (?:ADD|SET NOT NULL)",
        *("SHARE", "reads", "add the constraint NOT VALID; every table with the domain is read"),
    ),
    _rule(r"ALTER INDEX \w+ RENAME", _HARMLESS, is_contract=True),
    _rule(r"DROP TABLE (?:IF EXISTS )?(\w+)", _EXCLUSIVE, is_contract=True),
    _rule(r"DROP ", is_contract=True),
    _rule(r"INSERT INTO (\w+) .*\bVALUES\b", "ROW EXCLUSIVE"),
    _rule(
        r"(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)", "ROW EXCLUSIVE", "reads", "do it in batches, in a file of its own"
    ),
)
_BATCH = _rule(r"(?:UPDATE|DELETE FROM|INSERT INTO) (\w+) .*\bLIMIT\b", "ROW EXCLUSIVE", "batches")
_ALTER_TABLE = re.compile(r"ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.*)", re.IGNORECASE)
_CREATED = re.compile(r"CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)", re.IGNORECASE)
_NOT_NULL_CHECK = re.compile(r"ADD CONSTRAINT (\w+) CHECK \((\w+) IS NOT NULL\)", re.IGNORECASE)


def effects(migration: Migration) -> list[Effect]:
    """Of the statements about tables that were there before: nobody waits for a new one."""
    new: set[str] = set()
    found = []
    for statement in (" ".join(statement.split()) for statement in migration.statements):
        new.update(_CREATED.findall(statement))
        found += [effect for effect in _effects_of(statement, migration) if effect.table not in new]
    return found


def _effects_of(statement: str, migration: Migration) -> Iterator[Effect]:
    altered = _ALTER_TABLE.match(statement)
    if altered:
        for action in re.split(r",(?![^(]*\)) ?", altered[2]):
            yield _decide(_ACTIONS, action, f"ALTER TABLE {altered[1]} {action}", altered[1])
    elif migration.in_batches:
        yield _decide((_BATCH,), statement, statement)
    else:
        yield _decide(_STATEMENTS, statement, statement)
    for referenced in re.findall(r"\bREFERENCES (\w+)", statement):
        yield Effect(statement, referenced, _NO_WRITES)


def _decide(rules: Sequence[Rule], text: str, statement: str, table: str | None = None) -> Effect:
    for rule in rules:
        match = rule.pattern.match(text)
        if match:
            named = match[1] if table is None and rule.pattern.groups else table
            return Effect(statement, named, rule.lock, rule.work, rule.instead, rule.is_contract)
    return Effect(statement, table, instead="no rule knows this statement: add one to migration_effects.py")


def refusals(migrations: Sequence[Migration]) -> list[str]:
    """One line for each statement that must not be released."""
    checks: dict[str, tuple[str | None, str]] = {}  # by constraint: the table, and the column that is not null
    validated: set[tuple[str | None, str]] = set()
    found = []
    for migration in migrations:
        here = effects(migration)
        for effect in here:
            column = re.search(r" ALTER (?:COLUMN )?(\w+) SET NOT NULL", effect.statement)
            is_checked = column is not None and (effect.table, column[1]) in validated
            if effect.instead and not is_checked:
                found.append(f"{migration.name}: {effect.statement[:80]}: {effect.instead}")
            if effect.is_contract and migration.programs_from is None:
                found.append(f"{migration.name}: {effect.statement[:80]}: belongs in a contract")
        found += _not_together(migration, here)
        for effect in here:
            if check := _NOT_NULL_CHECK.search(effect.statement):
                checks[check[1]] = (effect.table, check[2])
            for name in re.findall(r"VALIDATE CONSTRAINT (\w+)", effect.statement):
                if name in checks:
                    validated.add(checks[name])
    return found


def _not_together(migration: Migration, here: Sequence[Effect]) -> Iterator[str]:
    """What a transaction has locked stays locked until its end."""
    locks = {effect.lock for effect in here}
    if locks & {_EXCLUSIVE, _NO_WRITES} and any(effect.work == "reads" and not effect.instead for effect in here):
        yield f"{migration.name}: reads a whole table while another statement's lock is held: use two files"
    if migration.is_concurrent and not all(" CONCURRENTLY " in effect.statement for effect in here):
        yield f"{migration.name}: CONCURRENTLY needs a file of its own"
    if migration.in_batches and len(migration.statements) != 1:
        yield f"{migration.name}: a change in batches is one statement"
