"""The Python files of the product, parsed once for all the rules that read them."""

import ast
import gc
from functools import cache
from pathlib import Path
from typing import NamedTuple

import frontdesk

PACKAGE = Path(frontdesk.__file__).parent
ROOT = PACKAGE.parent
_CLIENT = ROOT / "client"


class PythonFile(NamedTuple):
    path: Path
    text: str
    tree: ast.Module
    nodes: list[ast.AST]  # of the whole tree, outer ones before inner ones

    @property
    def name(self) -> str:
        """Below the package, such as `ui/app.py`."""
        return self.path.relative_to(PACKAGE).as_posix()


@cache
def files_of_package() -> list[PythonFile]:
    return _read(PACKAGE)


@cache
def files_of_client() -> list[PythonFile]:
    return _read(_CLIENT)


def _read(folder: Path) -> list[PythonFile]:
    """What is parsed stays, so to look for garbage among it is wasted: it would be two thirds of the time."""
    gc.disable()
    try:
        return [_parse(path) for path in sorted(folder.rglob("*.py"))]
    finally:
        gc.freeze()
        gc.enable()


def _parse(path: Path) -> PythonFile:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    return PythonFile(path, text, tree, list(ast.walk(tree)))
