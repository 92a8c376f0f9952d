"""The JSON Schema of a file, for editors and for programs that write one."""

from frontdesk.developer_tools.set_up_file.kind import Fields
from frontdesk.developer_tools.set_up_file.kinds import ITEMS, KINDS, OPTION_FIELDS

Schema = dict[str, object]
_KEY: Schema = {"type": "string", "description": "how other records call it, if not by its name"}


def file_schema() -> Schema:
    sections = {}
    for kind in KINDS:
        options: Schema = {"options": _records(OPTION_FIELDS)} if kind is ITEMS else {}
        sections[kind.section] = _record(kind.fields, {}) if kind.is_single else _records(kind.fields, options)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Set-up of a business",
        "type": "object",
        "properties": sections,
        "additionalProperties": False,
    }


def _records(fields: Fields, more: Schema | None = None) -> Schema:
    return {"type": "array", "items": _record(fields, {"key": _KEY, **(more or {})})}


def _record(fields: Fields, more: Schema) -> Schema:
    found: Schema = {}
    for name, field in fields.items():
        schema = field.type.schema()
        if field.clearable and not (field.required or field.counts_if_absent or field.by_itself):
            schema = {"anyOf": [schema, {"type": "null"}]}
        found[name] = {**schema, "description": field.meaning} if field.meaning else schema
    return {
        "type": "object",
        "properties": {**more, **found},
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }
