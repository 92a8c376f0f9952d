"""Parts of statements that show an application what it has stored with records."""

from typing import TypeVar

import msgspec

from frontdesk.custom_data.types import CustomDataFilter, Kind
from frontdesk.postgres.query import Query, json_bytes

T = TypeVar("T")
_OWNER = "custom_data_owner($1, context.caller_id)"
# Two fields of a published form, in a statement with `joined`.
FIELDS = "'external_id', own.external_id, 'metadata', coalesce(own.metadata, '{}')"


def joined(kind: Kind, record_id: str) -> str:
    """The row `own` with the data of the caller. Where nothing is stored with a record, the owner is not looked up."""
    return f"""
        LEFT JOIN LATERAL (
            SELECT d.external_id, d.metadata FROM (
                SELECT * FROM custom_data
                WHERE tenant_id = $1 AND kind = '{kind}' AND record_id = {record_id} OFFSET 0) d
            WHERE d.owner_id = {_OWNER}) own ON true"""


def conditions(filter_: CustomDataFilter, kind: Kind) -> dict[str, object]:
    """Conditions on the id of a record, as SQL with `$?` for the value.

    The ids are found first: then the planner reads those records instead of the whole list.
    """
    found: dict[str, object] = {}
    if filter_.external_id is not None:
        of_owner = f"d.tenant_id = $1 AND d.kind = '{kind}' AND d.owner_id = {_OWNER}"
        one = f"SELECT d.record_id FROM custom_data d WHERE {of_owner} AND d.external_id = $?::text"
        found[f"id = ANY (ARRAY({one}))"] = filter_.external_id
    if filter_.metadata:
        those = f"SELECT records_with_metadata($1, context.caller_id, '{kind}', $?::text::jsonb)"
        found[f"id = ANY (ARRAY({those}))"] = msgspec.json.encode(filter_.metadata).decode()
    return found


def with_custom_data(query: Query[T], kind: Kind) -> Query[T]:
    """The same document with the data of the caller. The query also returns the id of the record.

    The function is called only where something is stored with the record: most applications store nothing.
    """
    text = f"with_custom_data($1, context.caller_id, '{kind}', record.id, convert_from(record.document, 'UTF8'))"
    sql = f"""
        SELECT CASE WHEN EXISTS (
                SELECT 1 FROM custom_data d WHERE d.tenant_id = $1 AND d.kind = '{kind}' AND d.record_id = record.id)
            THEN {json_bytes(text)} ELSE {_without_data("record.document")} END AS document
        FROM (SELECT found.id, found.document FROM ({query.sql}) found OFFSET 0) record"""
    return query._replace(sql=sql)


def _without_data(document: str) -> str:
    fields = """', "external_id": null, "metadata": {}}'"""
    return f"substring({document} FOR octet_length({document}) - 1) || {fields}::bytea"
