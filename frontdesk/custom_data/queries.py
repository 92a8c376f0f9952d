"""Parts of statements that show an application what it has stored with records."""

from typing import TypeVar

import msgspec

from frontdesk.custom_data.types import CustomDataFilter, Kind
from frontdesk.postgres.query import Query, json_bytes

T = TypeVar("T")
_OWNER = "custom_data_owner($1, context.caller_id)"
# Two fields of a published form, in a statement with `joined`.
FIELDS = "'external_id', own.external_id, 'metadata', coalesce(own.metadata, '{}')"
# As in the index custom_data_by_metadata.
_INDEXED = """(('{"' || d.tenant_id::text || d.kind || d.owner_id::text || '": ' || d.metadata::text || '}')::jsonb)"""


def joined(kind: Kind, record_id: str) -> str:
    """The row `own` with the data of the caller. Where nothing is stored with a record, the owner is not looked up."""
    return f"""
        LEFT JOIN LATERAL (
            SELECT d.external_id, d.metadata FROM (
                SELECT * FROM custom_data
                WHERE tenant_id = $1 AND kind = '{kind}' AND record_id = {record_id} OFFSET 0) d
            WHERE d.owner_id = {_OWNER}) own ON true"""


def conditions(filter_: CustomDataFilter, kind: Kind) -> dict[str, object]:
    """Conditions on the id of a record, as SQL with `$?` for the value."""
    found: dict[str, object] = {}
    of_owner = f"d.tenant_id = $1 AND d.kind = '{kind}' AND d.owner_id = {_OWNER}"
    if filter_.external_id is not None:
        found[_one_of(f"{of_owner} AND d.external_id = $?::text")] = filter_.external_id
    if filter_.metadata:
        values = f"jsonb_build_object($1::text || '{kind}' || {_OWNER}::text, $?::text::jsonb)"
        found[_one_of(f"{of_owner} AND {_INDEXED} @> {values}")] = msgspec.json.encode(filter_.metadata).decode()
    return found


def _one_of(condition: str) -> str:
    """The ids are found first: then the planner reads those records instead of the whole list."""
    return f"id = ANY (ARRAY(SELECT d.record_id FROM custom_data d WHERE {condition}))"


def with_custom_data(query: Query[T], kind: Kind) -> Query[T]:
    """The same document with the data of the caller. The query also returns the id of the record."""
    text = f"with_custom_data($1, context.caller_id, '{kind}', record.id, convert_from(record.document, 'UTF8'))"
    return query._replace(sql=f"SELECT {json_bytes(text)} AS document FROM ({query.sql}) record")
