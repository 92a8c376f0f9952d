"""What a database holds, so that two moments can be compared: the rows of every table, and every sequence."""

from collections.abc import Collection

from frontdesk.postgres.pool import connect

Contents = dict[str, tuple[int, object]]  # the number of rows of each table, and a digest of them

_TABLES = """
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY c.relname"""
_SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename"
# Of each row, so that no order is needed; a number of arbitrary size, so that two changes do not cancel each other out.
_CONTENT = "SELECT '{0}' AS name, count(*) AS rows, sum(hashtextextended(t::text, 0)::numeric) AS digest FROM {0} t"


async def read_whole_database(dsn: str, without: Collection[str]) -> Contents:
    raw = await connect(dsn)
    try:
        tables = [row["relname"] for row in await raw.fetch(_TABLES) if row["relname"] not in without]
        read = await raw.fetch(" UNION ALL ".join(_CONTENT.format(table) for table in tables))
        sequences = await raw.fetch(_SEQUENCES)
    finally:
        await raw.close()
    contents: Contents = {row["name"]: (row["rows"], row["digest"]) for row in read}
    return contents | {row["sequencename"]: (0, row["last_value"]) for row in sequences}


def changed(before: Contents, after: Contents) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
