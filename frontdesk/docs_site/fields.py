"""A JSON schema as a tree of fields for people: name, type, whether it is required, meaning, and fields inside."""

from typing import Any, NamedTuple

_MAX_DEPTH = 6
_NAMES = {"date-time": "datetime", "uuid": "uuid", "date": "date", "uri": "URL", "email": "e-mail address"}
_LIMITS = (("maxLength", "at most {} characters"), ("minimum", "at least {}"), ("maximum", "at most {}"))
_MAX_NUMBER = 10**6  # a larger limit is one of the type, not of the field


class Field(NamedTuple):
    name: str
    type: str
    required: bool
    text: str
    values: list[str]  # the possible ones, if they are listed
    fields: list["Field"]


def resolve(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """What a `$ref` points to; anything else as it is."""
    while "$ref" in value:
        target: Any = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = {**target, **{key: more for key, more in value.items() if key != "$ref"}}
    return value


def root_fields(document: dict[str, Any], schema: dict[str, Any]) -> list[Field]:
    return _inside(document, schema, depth=0)


def value_field(document: dict[str, Any], parameter: dict[str, Any]) -> Field:
    """A parameter of the path, the query or the header."""
    field = _field(document, parameter["name"], parameter["schema"], bool(parameter.get("required")), depth=0)
    return field._replace(text=parameter.get("description", ""))


def _field(document: dict[str, Any], name: str, schema: dict[str, Any], required: bool, depth: int) -> Field:
    resolved = _without_null(document, schema)
    return Field(
        name,
        _type_name(document, schema),
        required,
        schema.get("description") or resolved.get("description", ""),
        [str(value) for value in resolved.get("enum", ())],
        _inside(document, resolved, depth + 1),
    )


def _inside(document: dict[str, Any], schema: dict[str, Any], depth: int) -> list[Field]:
    """The fields of an object, or of the objects in an array. Alternatives are listed one after the other."""
    if depth > _MAX_DEPTH:
        return []
    schema = _without_null(document, schema)
    if "items" in schema:
        return _inside(document, schema["items"], depth)
    options = schema.get("oneOf") or schema.get("anyOf")
    if options:
        return _merged([_inside(document, option, depth) for option in options])
    required = set(schema.get("required", ()))
    return [
        _field(document, name, inner, name in required, depth) for name, inner in schema.get("properties", {}).items()
    ]


def _merged(options: list[list[Field]]) -> list[Field]:
    """The fields of all alternatives. A field is required if each alternative requires it."""
    merged: dict[str, Field] = {}
    for field in (field for option in options for field in option):
        values = merged[field.name].values if field.name in merged else []
        in_each = [other for option in options for other in option if other.name == field.name]
        required = len(in_each) == len(options) and all(other.required for other in in_each)
        merged[field.name] = field._replace(required=required, values=[*dict.fromkeys([*values, *field.values])])
    return list(merged.values())


def _without_null(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    schema = resolve(document, schema)
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    if len(options) == 1:
        return {**resolve(document, options[0]), **{key: schema[key] for key in ("description",) if key in schema}}
    return schema


def _type_name(document: dict[str, Any], schema: dict[str, Any]) -> str:
    resolved = _without_null(document, schema)
    types = resolved.get("type", "object" if "properties" in resolved else "")
    names = [types] if isinstance(types, str) else [type_ for type_ in types if type_ != "null"]
    is_nullable = "null" in types or any(option.get("type") == "null" for option in schema.get("anyOf", ()))
    name = " or ".join(names) or "any"
    if name == "array":
        name = f"array of {_type_name(document, resolved['items'])}s"
    elif "format" in resolved:
        name = _NAMES.get(resolved["format"], name)
    limits = [
        words.format(resolved[key]) for key, words in _LIMITS if abs(resolved.get(key, _MAX_NUMBER)) < _MAX_NUMBER
    ]
    return ", ".join([name, *limits, *(["or null"] if is_nullable else [])])
