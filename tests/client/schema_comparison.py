"""Compares types of the client with JSON Schemas of the published OpenAPI description."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin
from uuid import UUID

import msgspec
from msgspec import UnsetType

from frontdesk.apis.openapi.build import description

Schema = dict[str, Any]

_JSON_TYPES: dict[Any, str] = {
    NoneType: "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    Decimal: "number",
    **dict.fromkeys((str, Literal, UUID, dt.date, dt.datetime), "string"),
    **dict.fromkeys((list, Sequence), "array"),
    **dict.fromkeys((dict, Mapping), "object"),
}


def response_differences(type_: Any, schema: Schema, where: str) -> Iterator[str]:
    """The client must decode exactly what is published: same fields, types, optionality and known values."""
    options, published = type_options(type_), _alternatives(schema)
    yield from _name_differences(options, schema, where)
    yield from _value_differences(options, published, where)
    ours, theirs = {_json_type(option) for option in options}, _published_types(published)
    if ours != theirs:
        yield f"{where}: {sorted(ours)}, published {sorted(theirs)}"
    if (UUID in options) != any(alternative.get("format") == "uuid" for alternative in published):
        yield f"{where}: only ids are decoded as UUID"
    for option in options:
        if _is_struct(option):
            objects = [alternative for alternative in published if "properties" in alternative]
            yield from _struct_differences(option, objects, where)
        elif get_origin(option) is list:
            yield from response_differences(get_args(option)[0], _only(published, "items"), f"{where}[]")
        elif get_origin(option) is dict and get_args(option)[1] is not Any:
            values = _only(published, "additionalProperties")
            yield from response_differences(get_args(option)[1], values, f"{where}{{}}")


def _struct_differences(struct: Any, published: list[Schema], where: str) -> Iterator[str]:
    """`published` has several alternatives for events, which differ by their type."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for schema in published:
        if fields.keys() != schema["properties"].keys():
            yield f"{where}: fields {sorted(fields.keys() ^ schema['properties'].keys())} are not on both sides"
            return
    for name, field in fields.items():
        alternatives = [schema["properties"][name] for schema in published]
        is_required = all(name in schema["required"] for schema in published)
        if field.required != is_required:
            yield f"{where}.{name}: required {field.required}, published {is_required}"
        if not is_required:
            alternatives.append({"type": "null"})  # the client reads an absent field as None
        yield from response_differences(field.type, {"oneOf": alternatives}, f"{where}.{name}")


def request_differences(type_: Any, schema: Schema, where: str) -> Iterator[str]:
    """The API must accept everything that the client sends, and the client must know every field and value."""
    options, published = type_options(type_), _alternatives(schema)
    yield from _name_differences(options, schema, where)
    yield from _value_differences(options, published, where)
    accepted = _published_types(published)
    accepted |= {"integer"} if "number" in accepted else set()
    rejected = {_json_type(option) for option in options} - accepted
    if rejected:
        yield f"{where}: sends {sorted(rejected)}, accepted {sorted(accepted)}"
    for option in options:
        if get_origin(option) is Sequence:
            yield from request_differences(get_args(option)[0], _only(published, "items"), f"{where}[]")
        elif _is_struct(option):
            properties = _only(published, "properties")
            types = {field.encode_name: field.type for field in msgspec.structs.fields(option)}
            if types.keys() != properties.keys():
                yield f"{where}: fields {sorted(types.keys() ^ properties.keys())} are not on both sides"
                return
            for name, field_type in types.items():
                yield from request_differences(field_type, properties[name], f"{where}.{name}")


def type_options(type_: Any) -> list[Any]:
    options = get_args(type_) if get_origin(type_) in (Union, UnionType) else [type_]
    return [option for option in options if option is not UnsetType]


def _name_differences(options: list[Any], schema: Schema, where: str) -> Iterator[str]:
    """A model has the name of its published schema. The envelopes are generic here and are not compared."""
    published = _schema_names(schema)
    models = {option.__name__ for option in options if _is_struct(option) and get_origin(option) is None}
    if models and models != published:
        yield f"{where}: model {sorted(models)}, published schema {sorted(published)}"


def _value_differences(options: list[Any], published: list[Schema], where: str) -> Iterator[str]:
    known = {value for option in options if get_origin(option) is Literal for value in get_args(option)}
    enum = {value for schema in published for value in schema.get("enum", ()) if value is not None}
    enum |= {schema["const"] for schema in published if "const" in schema}
    if known != enum:
        yield f"{where}: known values {sorted(known)}, published {sorted(enum)}"
    if known and str not in options:
        yield f"{where}: an unknown value would not be decoded"


def _json_type(option: Any) -> str:
    return "object" if _is_struct(option) else _JSON_TYPES[get_origin(option) or option]


def _is_struct(option: Any) -> bool:
    origin = get_origin(option) or option
    return isinstance(origin, type) and issubclass(origin, msgspec.Struct)


def _alternatives(schema: Schema) -> list[Schema]:
    if "$ref" in schema:
        return _alternatives(resolve(schema))
    nested = schema.get("anyOf") or schema.get("oneOf")
    return [alternative for inner in nested for alternative in _alternatives(inner)] if nested else [schema]


def _schema_names(schema: Schema) -> set[str]:
    if "$ref" in schema:
        return {schema["$ref"].rpartition("/")[2]}
    nested = schema.get("anyOf") or schema.get("oneOf") or ()
    return {name for inner in nested for name in _schema_names(inner)}


def resolve(reference: Schema) -> Schema:
    schema: Schema = description("open-api")["components"]["schemas"][reference["$ref"].rpartition("/")[2]]
    return schema


def _published_types(alternatives: list[Schema]) -> set[str]:
    types = [schema["type"] for schema in alternatives]
    return {name for type_ in types for name in ([type_] if isinstance(type_, str) else type_)}


def _only(alternatives: list[Schema], keyword: str) -> Schema:
    (value,) = [schema[keyword] for schema in alternatives if keyword in schema]
    found: Schema = value
    return found
