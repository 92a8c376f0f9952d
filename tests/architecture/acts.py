"""Lists the acts of the package from its code. `python -m tests.architecture.acts` writes docs/acts.md."""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import frontdesk
from frontdesk.apis.open.api import open_api
from frontdesk.apis.pos.api import pos_api
from frontdesk.postgres.act import Act
from frontdesk.ui.activity.labels import ACTIONS
from frontdesk.ui.app import dashboard
from frontdesk.ui.shell import permissions
from frontdesk.webhooks.event_types import EventType
from tests.architecture.python_files import ROOT, files_of_package

DOCUMENT = ROOT / "docs" / "acts.md"
_FUNCTIONS = ROOT / "frontdesk" / "postgres" / "functions"
_COMMENT = re.compile(r"--[^\n]*")
_NAME = re.compile(r"'([a-z_]+\.[a-z_]+)'")
_RECORD = re.compile(r"(?:record_activity|finish_customer_change)\s*\([^;]*;", re.DOTALL)
_SURFACES = ("frontdesk.ui.", "frontdesk.apis.")
_ACCESS = {access: name for name, access in vars(permissions).items() if isinstance(access, permissions.Access)}
_HEAD = """# Acts

Every change of a business is an act: a Python class that loads, decides and names the database function that it calls
([why](decisions/0034-a-write-reads-decides-and-calls-a-function.md)). This list is made from the code:
`.venv/bin/python -m tests.architecture.acts` writes it, and a test compares it. Events and activity are those that the
function and what it calls can write. Who may run an act on a page is a name of `frontdesk/ui/shell/permissions.py`;
through an API it is a scope, or an API key (POS).

| act | Python | database function | events | activity | who may |
|---|---|---|---|---|---|
"""


class FoundAct(NamedTuple):
    cls: type[Act[Any]]
    functions: list[str]
    events: list[str]
    activity: list[str]
    access: list[str]

    @property
    def name(self) -> str:
        return self.cls.__name__

    @property
    def file(self) -> str:
        return str(Path(inspect.getfile(self.cls)).relative_to(ROOT))


def document(acts: Iterable[FoundAct]) -> str:
    return _HEAD + "".join(map(_row, acts))


def _row(found: FoundAct) -> str:
    cells = (found.name, f"`{found.file}`", *map(_joined, (found.functions, found.events, found.activity)))
    return f"| {' | '.join(cells)} | {', '.join(found.access)} |\n"


def _joined(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def find_acts() -> list[FoundAct]:
    modules = list(_modules())
    sql = {file.stem: _COMMENT.sub("", file.read_text("utf-8")) for file in _FUNCTIONS.glob("*.sql")}
    access = _access()
    found = []
    for cls in sorted(_classes(modules), key=lambda cls: cls.__name__):
        functions = sorted(_functions_of(cls, sql))
        reached = {name for function in functions for name in _reached(function, sql)}
        found.append(
            FoundAct(cls, functions, _events(reached, sql), _activity(reached, sql), sorted(access.get(cls, ())))
        )
    return found


def camel(function: str) -> str:
    return "".join(word.capitalize() for word in function.split("_"))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(frontdesk.__path__, "frontdesk."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _classes(modules: Iterable[ModuleType]) -> set[type[Act[Any]]]:
    """Those that decide, and are no parts of others."""
    classes = {value for module in modules for value in vars(module).values() if isinstance(value, type)}
    return {
        cls
        for cls in classes
        if issubclass(cls, Act) and cls.decide is not Act.decide and not cls.__name__.startswith("_")
    }


def _functions_of(cls: type[Act[Any]], sql: Mapping[str, str]) -> set[str]:
    """The names of database functions in the act, and in what it calls of its own noun and of other acts."""
    found, waiting, known = set[str](), [cls], set[object]()
    while waiting:
        value: Any = waiting.pop()
        if value in known:
            continue
        known.add(value)
        if not value.__module__.startswith("frontdesk."):
            continue
        definition = _definition(value)
        found |= definition.texts & sql.keys()
        for named in definition.named():
            is_own = inspect.isfunction(named) and _noun(named.__module__) == _noun(value.__module__)
            if is_own or (inspect.isclass(named) and issubclass(named, Act) and named is not Act):
                waiting.append(named)
    return {name for name in found if not name.endswith(("_document", "_json"))}


class _Definition(NamedTuple):
    """A function or class as its file has it: the texts and the names in it."""

    module: str
    texts: frozenset[str]
    names: frozenset[str]

    def named(self) -> Iterator[Any]:
        module = sys.modules[self.module]
        return (getattr(module, name) for name in self.names if hasattr(module, name))


@cache
def _definition(value: Any) -> _Definition:
    value = inspect.unwrap(value)
    module: str = value.__module__
    node = _definitions(module)[value.__code__.co_firstlineno if inspect.isfunction(value) else value.__name__]
    nodes = list(ast.walk(node))
    texts = frozenset(part.value for part in nodes if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return _Definition(module, texts, frozenset(part.id for part in nodes if isinstance(part, ast.Name)))


@cache
def _definitions(module: str) -> dict[int | str, ast.stmt]:
    """Functions by their first line and classes by their name. A file is read once: many pages lead to it."""
    found: dict[int | str, ast.stmt] = {}
    waiting = list(_trees()[str(inspect.getsourcefile(sys.modules[module]))].body)
    while waiting:
        node = waiting.pop()
        waiting += getattr(node, "body", [])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.decorator_list[0].lineno if node.decorator_list else node.lineno] = node
        elif isinstance(node, ast.ClassDef):
            found[node.name] = node
    return found


@cache
def _trees() -> dict[str, ast.Module]:
    return {str(file.path): file.tree for file in files_of_package()}


def _noun(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _reached(name: str, sql: Mapping[str, str]) -> set[str]:
    found, waiting = set[str](), [name]
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += set(re.findall(r"\b([a-z_]+)\s*\(", sql[function])) & sql.keys()
    return found


def _events(functions: Iterable[str], sql: Mapping[str, str]) -> list[str]:
    texts = [_RECORD.sub("", sql[name]) for name in functions]
    return sorted({name for text in texts for name in _NAME.findall(text)} & {kind.value for kind in EventType})


def _activity(functions: Iterable[str], sql: Mapping[str, str]) -> list[str]:
    texts = [statement for name in functions for statement in _RECORD.findall(sql[name])]
    return sorted({name for text in texts for name in _NAME.findall(text)} & set(ACTIONS))


def _access() -> dict[type[Act[Any]], set[str]]:
    """By the pages and endpoints that name the act, themselves or in a function that they call."""
    found: dict[type[Act[Any]], set[str]] = {}
    for handler, access in _handlers():
        for cls in _named_acts(handler):
            found.setdefault(cls, set()).add(access)
    return found


def _handlers() -> Iterator[tuple[Any, str]]:
    for page in dashboard().pages:
        yield page.handler, _ACCESS[page.access]
    for endpoint in open_api().operations:
        yield endpoint.handler, f"`{endpoint.scope}`" if endpoint.scope else "any client"
    for endpoint in pos_api().operations:
        yield endpoint.handler, "key"


def _named_acts(handler: Any) -> set[type[Act[Any]]]:
    found, waiting, known = set[type[Act[Any]]](), [handler], set[object]()
    while waiting:
        value = waiting.pop()
        if value in known:
            continue
        known.add(value)
        if not value.__module__.startswith(_SURFACES):
            continue
        for named in _definition(value).named():
            if inspect.isclass(named) and issubclass(named, Act):
                found.add(named)
            elif inspect.isfunction(named):
                waiting.append(named)
    return found


if __name__ == "__main__":
    DOCUMENT.write_text(document(find_acts()), "utf-8")
