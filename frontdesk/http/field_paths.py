"""The path of a field as a surface calls it, from its path by our own names; and query parameters that have a value
for each key: `metadata[colour]=blue`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec
from msgspec import inspect as types

# "#" is the index of a list, in our path and in the surface's: {"lines.#.item_id": "items.#.id", "lines": "items"}.
# The longest match counts, and the rest of the path stays. An index that the surface's path lacks is left out.
FieldMap = Mapping[str, str]
SAME_FIELDS: FieldMap = {}
_NAME = re.compile(r"(\w+)(\[.*)", re.DOTALL)


def field_path(at: Sequence[str | int], fields: FieldMap) -> str:
    for end in range(len(at), 0, -1):
        own = ".".join("#" if isinstance(part, int) else part for part in at[:end])
        if own in fields:
            path = fields[own]
            for index in (part for part in at[:end] if isinstance(part, int)):
                path = path.replace("#", str(index), 1)
            return ".".join([path, *map(str, at[end:])])
    return ".".join(map(str, at))


@cache
def map_names(kind: type[msgspec.Struct]) -> frozenset[str]:
    info = types.type_info(kind)
    if not isinstance(info, types.StructType):
        raise TypeError(kind)
    return frozenset(field.encode_name for field in info.fields if _is_map(field.type))


def _is_map(kind: types.Type) -> bool:
    if isinstance(kind, types.UnionType):
        return any(_is_map(arm) for arm in kind.types)
    return isinstance(kind, types.DictType) or (isinstance(kind, types.Metadata) and _is_map(kind.type))


def split_name(name: str, maps: frozenset[str]) -> tuple[str, str] | None:
    """The parameter and the key, if it is one of these. A name that is not written well has a key that is refused."""
    if not maps:
        return None
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in maps:
        return None
    key = found[2]
    return found[1], key[1:-1] if key.endswith("]") else key


def flat(name: str, value: object) -> dict[str, str]:
    """As it is written into a URL."""
    if isinstance(value, Mapping):
        return {f"{name}[{key}]": str(entry) for key, entry in value.items()}
    return {name: str(value)}
