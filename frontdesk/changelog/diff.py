"""Compares two descriptions. Prose and examples are ignored, because programs do not depend on them."""

from collections.abc import Iterator
from typing import Any

from frontdesk.changelog.schema_diff import Use, schema_changes
from frontdesk.changelog.types import DEPRECATED, Change, added, modified, removed

Document = dict[str, Any]
NO_CHANGES: Document = {"paths": {}, "webhooks": {}, "components": {}}
_METHODS = ("get", "put", "post", "delete", "patch")


def differences(old: Document, new: Document) -> list[Change]:
    found = [
        *_operation_changes(old, new, "paths"),
        *_operation_changes(old, new, "webhooks"),
        *_component_changes(old, new),
        *_scheme_changes(old, new),
    ]
    return sorted(set(found), key=lambda change: (not change.breaking, change.kind, change.where, change.text))


def _operation_changes(old: Document, new: Document, section: str) -> Iterator[Change]:
    before, after = operations(old, section), operations(new, section)
    for name in after:
        if name not in before:
            yield added(name, "was added")
    for name, operation in before.items():
        if name not in after:
            yield removed(name, "was removed")
        else:
            yield from _changes_of(name, operation, after[name], section)


def operations(document: Document, section: str) -> dict[str, Document]:
    """Operations by method and path, or webhooks by event type, with references to shared parts resolved."""
    return {
        f"{method.upper()} {path}" if section == "paths" else f"event {path}": _inlined(methods[method], document)
        for path, methods in document.get(section, {}).items()
        for method in _METHODS
        if method in methods
    }


def _inlined(operation: Document, document: Document) -> Document:
    shared = document.get("components", {})

    def resolve(part: Document, kind: str) -> Document:
        name = str(part.get("$ref", "")).rpartition("/")[2]
        return dict(shared[kind][name]) if name else part

    return {
        **operation,
        "parameters": [resolve(parameter, "parameters") for parameter in operation.get("parameters", ())],
        "responses": {
            status: resolve(answer, "responses") for status, answer in operation.get("responses", {}).items()
        },
    }


def _changes_of(name: str, old: Document, new: Document, section: str) -> Iterator[Change]:
    sent, read = (Use.SENT, Use.READ) if section == "paths" else (Use.READ, Use.SENT)
    if old.get("operationId") != new.get("operationId"):
        yield modified(name, f"has the operation id {new.get('operationId')}")
    if new.get("deprecated") and not old.get("deprecated"):
        yield modified(name, DEPRECATED)
    if old.get("security") != new.get("security"):
        yield modified(name, "requires different authorization", breaking=bool(new.get("security")))
    yield from _parameter_changes(name, old, new, sent)
    body = (old.get("requestBody", {}).get("content", {}), new.get("requestBody", {}).get("content", {}))
    yield from _content_changes(f"{name} body", *body, sent)
    for status in new["responses"].keys() - old["responses"].keys():
        yield added(f"{name} {status}", "is a new response")
    for status in old["responses"]:
        if status not in new["responses"]:
            yield removed(f"{name} {status}", "is no longer returned")
            continue
        before, after = old["responses"][status], new["responses"][status]
        yield from _content_changes(f"{name} {status}", before.get("content", {}), after.get("content", {}), read)
        yield from _header_changes(f"{name} {status}", before.get("headers", {}), after.get("headers", {}))


def _parameter_changes(name: str, old: Document, new: Document, use: Use) -> Iterator[Change]:
    before = {(p["in"], p["name"]): p for p in old["parameters"]}
    after = {(p["in"], p["name"]): p for p in new["parameters"]}
    for key, parameter in after.items():
        if key not in before:
            yield added(f"{name} ?{key[1]}", "is a new parameter", breaking=bool(parameter.get("required")))
    for key, parameter in before.items():
        where = f"{name} ?{key[1]}"
        if key not in after:
            yield removed(where, "was removed")
            continue
        if bool(parameter.get("required")) != bool(after[key].get("required")):
            needed = bool(after[key].get("required"))
            yield modified(where, "is now required" if needed else "is now optional", breaking=needed)
        yield from schema_changes(parameter["schema"], after[key]["schema"], where, use)


def _content_changes(where: str, old: Document, new: Document, use: Use) -> Iterator[Change]:
    for media in new.keys() - old.keys():
        yield added(where, f"is also available as {media}")
    for media in old:
        if media not in new:
            yield removed(where, f"is no longer available as {media}")
        else:
            yield from schema_changes(old[media].get("schema", {}), new[media].get("schema", {}), where, use)


def _header_changes(where: str, old: Document, new: Document) -> Iterator[Change]:
    for header in sorted(new.keys() - old.keys()):
        yield added(where, f"has the header {header}")
    for header in sorted(old.keys() - new.keys()):
        yield removed(where, f"no longer has the header {header}")


def _component_changes(old: Document, new: Document) -> Iterator[Change]:
    """Changes of named schemas. A removed schema is reported where it was referenced."""
    before, after = _schemas(old), _schemas(new)
    sent, read = _reachable(new)
    for name in before.keys() & after.keys():
        use = (Use.SENT if name in sent else Use(0)) | (Use.READ if name in read else Use(0))
        yield from schema_changes(before[name], after[name], name, use)


def _schemas(document: Document) -> dict[str, Document]:
    found: dict[str, Document] = document.get("components", {}).get("schemas", {})
    return found


def _reachable(document: Document) -> tuple[set[str], set[str]]:
    """The names of the schemas that callers send, and of those that they read."""
    sent: set[str] = set()
    read: set[str] = set()
    for section, first, second in (("paths", sent, read), ("webhooks", read, sent)):
        for operation in operations(document, section).values():
            collect_schemas(operation.get("requestBody"), document, first)
            collect_schemas(operation.get("responses"), document, second)
    return sent, read


def collect_schemas(part: object, document: Document, found: set[str]) -> None:
    """Adds the names of the schemas that a part of a description refers to, and of those inside them."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix("#/components/schemas/")
        if name in _schemas(document) and name not in found:
            found.add(name)
            collect_schemas(_schemas(document)[name], document, found)
        for inner in part.values():
            collect_schemas(inner, document, found)
    elif isinstance(part, list):
        for inner in part:
            collect_schemas(inner, document, found)


def _scheme_changes(old: Document, new: Document) -> Iterator[Change]:
    before = old.get("components", {}).get("securitySchemes", {})
    after = new.get("components", {}).get("securitySchemes", {})
    for name in after.keys() - before.keys():
        yield added("authentication", f"{name} was added")
    for name in before.keys() - after.keys():
        yield removed("authentication", f"{name} was removed")
    for name in before.keys() & after.keys():
        if before[name].get("type") != after[name].get("type"):
            yield modified("authentication", f"{name} has a different type", breaking=True)
        yield from _scope_changes(before[name], after[name])


def _scope_changes(old: Document, new: Document) -> Iterator[Change]:
    before, after = _scopes(old), _scopes(new)
    for scope in sorted(after - before):
        yield added("scopes", f"{scope} was added")
    for scope in sorted(before - after):
        yield removed("scopes", f"{scope} was removed")


def _scopes(scheme: Document) -> set[str]:
    return {scope for flow in scheme.get("flows", {}).values() for scope in flow["scopes"]}
