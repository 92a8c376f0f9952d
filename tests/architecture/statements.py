"""The SQL of the service as its source has it: which statements there are, and what is put into them at run time."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.architecture.python_files import files_of_package


class Statement(NamedTuple):
    file: str
    function: str
    text: str  # with its constants put in, and ‹› for what is not one
    holes: frozenset[str]  # what is put in at run time, other than the number of a placeholder

    def __str__(self) -> str:
        return f"{self.file} {self.function}"


_PLACEHOLDER = re.compile(r"[\w\s+()]+")


@cache
def statements() -> list[Statement]:
    return list(_read_statements())


def _read_statements() -> Iterator[Statement]:
    for file in files_of_package():
        for function in file.nodes:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _statements_of(file.name, function)


def _statements_of(file: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Statement]:
    local: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    local.setdefault(target.id, []).append(node.value)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Tuple):
            local.setdefault(node.target.id, []).extend(node.iter.elts)
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and call.args and _runs(call.func):
            holes: set[str] = set()
            text = _text(call.args[0], file, local, holes)
            yield Statement(file, function.name, text, frozenset(holes))


def _runs(function: ast.expr) -> bool:
    """A method of a connection, or a query that a request or `fetch` runs."""
    match function:
        case ast.Attribute(value=ast.Name(id="request" | "context"), attr="fetch"):
            return False
        case ast.Attribute(attr="fetch" | "fetchrow" | "fetchval" | "execute" | "execute_one") | ast.Name(id="Query"):
            return True
    return False


def _text(node: ast.expr, file: str, local: dict[str, list[ast.expr]], holes: set[str]) -> str:
    """What the expression is worth when it is built of constants; anything else is noted as a hole."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return _joined(parts, file, local, holes)
        case ast.FormattedValue(value=inner):
            return _text(inner, file, local, holes)
        case ast.IfExp(body=one, orelse=other):
            return _text(one, file, local, holes) + " " + _text(other, file, local, holes)
        case ast.Name(id=name) if name in local:
            rest = {key: value for key, value in local.items() if key != name}
            inside: set[str] = set()
            text = " ".join(_text(value, file, rest, inside) for value in local[name])
            holes |= {name} if inside else set()
            return text
        case ast.Name(id=name) if name.isupper():
            return _constant(file, name)
        case ast.Call(func=ast.Name(id=name), args=arguments) if all(_is_constant(a) for a in arguments):
            return _called(file, name, [_value(a, file) for a in arguments], node, holes)
        case ast.Call(func=ast.Name(id="page_keys" | "page_of" | "json_bytes"), args=[part, *_]):
            return _text(part, file, local, holes)
        case ast.Call(func=ast.Name(id="unknown_filters")):
            return ""  # finds the records of filters, each by tenant and id
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="format"), args=[ast.Constant(value=given)]):
            return _constant(file, name).format(given)
        case _:
            holes.add(ast.unparse(node))
            return "‹›"


def _is_constant(node: ast.expr) -> bool:
    """A literal, a constant of the module, or a value made of literals, such as Clock("$4")."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return name[0].isupper() and all(isinstance(argument, ast.Constant) for argument in arguments)
    return False


def _value(node: ast.expr, file: str) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return getattr(_module(file), name)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return getattr(_module(file), name)(*(_value(argument, file) for argument in arguments))
    raise AssertionError(ast.unparse(node))


def _joined(parts: list[ast.expr], file: str, local: dict[str, list[ast.expr]], holes: set[str]) -> str:
    text = ""
    for part in parts:
        placed = isinstance(part, ast.FormattedValue) and _PLACEHOLDER.fullmatch(ast.unparse(part.value))
        if placed and text.endswith("$"):
            text += "1"
        else:
            text += _text(part, file, local, holes)
    return text


def _module(file: str) -> object:
    return importlib.import_module("frontdesk." + file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def _constant(file: str, name: str) -> str:
    value = getattr(_module(file), name)
    assert isinstance(value, str | int), f"{file}: {name}"
    return str(value)


def _called(file: str, name: str, given: list[object], node: ast.Call, holes: set[str]) -> str:
    """Calls a function of the module that builds a part of a statement from constants; flags choose everything."""
    function = getattr(_module(file), name, None)
    if function is None:
        holes.add(ast.unparse(node))
        return "‹›"
    flags = {flag.arg: True for flag in node.keywords if flag.arg is not None}
    return str(function(*given, **flags))
