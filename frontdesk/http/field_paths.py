"""The path of a field as a surface calls it, from its path by our own names."""

from collections.abc import Mapping, Sequence

# "#" is the index of a list, in our path and in the surface's: {"lines.#.item_id": "items.#.id", "lines": "items"}.
# The longest match counts, and the rest of the path stays. An index that the surface's path lacks is left out.
FieldMap = Mapping[str, str]
SAME_FIELDS: FieldMap = {}


def field_path(at: Sequence[str | int], fields: FieldMap) -> str:
    for end in range(len(at), 0, -1):
        own = ".".join("#" if isinstance(part, int) else part for part in at[:end])
        if own in fields:
            path = fields[own]
            for index in (part for part in at[:end] if isinstance(part, int)):
                path = path.replace("#", str(index), 1)
            return ".".join([path, *map(str, at[end:])])
    return ".".join(map(str, at))
