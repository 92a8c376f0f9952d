"""Compares two schemas, and decides whether a change breaks callers that send or read them."""

from collections.abc import Iterator
from enum import Flag, auto
from typing import Any

from frontdesk.changelog.types import Change, added, modified, removed

Schema = dict[str, Any]


class Use(Flag):
    SENT = auto()  # by callers
    READ = auto()  # by callers


_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
_FORM = ("pattern", "format", "default", "propertyNames")
_CHOICES = ("anyOf", "allOf", "oneOf")


def schema_changes(old: Schema, new: Schema, where: str, use: Use) -> Iterator[Change]:
    """References are compared by name; the named schemas are compared once, on their own."""
    if "$ref" in old and old in new.get("anyOf", ()):
        yield modified(where, "has more alternatives", breaking=Use.READ in use)
        return
    if old.get("$ref") != new.get("$ref"):
        yield modified(where, "has a different schema", breaking=True)
        return
    yield from _type_changes(old, new, where, use)
    yield from _limit_changes(old, new, where, use)
    yield from _value_changes(old, new, where)
    yield from _property_changes(old, new, where, use)
    for inner in ("items", "additionalProperties"):
        if isinstance(old.get(inner), dict) and isinstance(new.get(inner), dict):
            yield from schema_changes(old[inner], new[inner], f"{where}[]", use)
        elif old.get(inner) != new.get(inner):
            yield modified(where, "has a different element type", breaking=True)
    yield from _choice_changes(old, new, where, use)


def _type_changes(old: Schema, new: Schema, where: str, use: Use) -> Iterator[Change]:
    before, after = _types(old), _types(new)
    if before != after:
        breaking = bool((Use.SENT in use and before - after) or (Use.READ in use and after - before))
        yield modified(where, f"changed its type from {_or(before)} to {_or(after)}", breaking=breaking)


def _limit_changes(old: Schema, new: Schema, where: str, use: Use) -> Iterator[Change]:
    for names, narrower in ((_LOWER, 1), (_UPPER, -1)):
        for name in names:
            before, after = old.get(name), new.get(name)
            if before != after:
                narrowed = after is not None and (before is None or (after - before) * narrower > 0)
                text = f"{name} is {_or_none(after)}, was {_or_none(before)}"
                yield modified(where, text, breaking=narrowed and Use.SENT in use)
    for name in _FORM:
        if old.get(name) != new.get(name):
            breaking = Use.SENT in use and name in new and name != "default"
            text = f"{name} is {_or_none(new.get(name))}, was {_or_none(old.get(name))}"
            yield modified(where, text, breaking=breaking)


def _value_changes(old: Schema, new: Schema, where: str) -> Iterator[Change]:
    if "enum" in old and "enum" in new:
        for value in new["enum"]:
            if value not in old["enum"]:
                yield added(where, f"has the new value {value}")
        for value in old["enum"]:
            if value not in new["enum"]:
                yield removed(where, f"no longer has the value {value}")
    elif ("enum" in old) != ("enum" in new):
        yield modified(where, "has different values", breaking="enum" in new)


def _property_changes(old: Schema, new: Schema, where: str, use: Use) -> Iterator[Change]:
    before, after = old.get("properties", {}), new.get("properties", {})
    needed_before, needed_after = set(old.get("required", ())), set(new.get("required", ()))
    for name in after:
        if name not in before:
            yield added(f"{where}.{name}", "was added", breaking=Use.SENT in use and name in needed_after)
    for name in before:
        if name not in after:
            yield removed(f"{where}.{name}", "was removed")
            continue
        yield from schema_changes(before[name], after[name], f"{where}.{name}", use)
        if name in needed_after - needed_before:
            yield modified(f"{where}.{name}", "is now required", breaking=Use.SENT in use)
        if name in needed_before - needed_after:
            yield modified(f"{where}.{name}", "is now optional", breaking=Use.READ in use)


def _choice_changes(old: Schema, new: Schema, where: str, use: Use) -> Iterator[Change]:
    for name in _CHOICES:
        before, after = old.get(name, []), new.get(name, [])
        if len(before) != len(after):
            # A client distinguishes the members of a union by the discriminator, and ignores unknown ones.
            only_more = "discriminator" in new and all(choice in after for choice in before)
            text = "has more alternatives" if only_more else "has different alternatives"
            yield modified(where, text, breaking=not only_more)
        else:
            for old_choice, new_choice in zip(before, after, strict=True):
                yield from schema_changes(old_choice, new_choice, where, use)


def _types(schema: Schema) -> frozenset[str]:
    kind = schema.get("type", ())
    return frozenset([kind] if isinstance(kind, str) else kind)


def _or(names: frozenset[str]) -> str:
    return " or ".join(sorted(names)) or "anything"


def _or_none(value: object) -> object:
    return "none" if value is None else value
