"""Which constraint a statement violated."""

import re

import asyncpg

_QUOTED = re.compile(r'constraint "([^"]+)"')
_SHARD = re.compile(r"_\d{6,}$")


def violated_constraint(error: asyncpg.IntegrityConstraintViolationError) -> str:
    """Citus names the constraint in the message only, with the number of the shard at its end."""
    named = error.constraint_name
    if not named:
        found = _QUOTED.search(str(error))
        named = found[1] if found else ""
    return _SHARD.sub("", named)
