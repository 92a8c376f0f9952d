"""The documents for developers name files, folders and database functions that exist."""

import re
from pathlib import Path

import click
import pytest

from frontdesk.cli.main import main

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "frontdesk"
FUNCTIONS = {path.stem for path in (PACKAGE / "postgres" / "functions").glob("*.sql")}
GUIDES = list((PACKAGE / "docs_site" / "guides").glob("*.md"))
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
_ENTRY = re.compile(r"( *)([a-z_/ ]+?)(?: {2,}.*|)")
_PATH = re.compile(r"`((?:frontdesk|client|tests|docs|bench|examples|requirements)/[\w./-]+)`")
_COMMAND = re.compile(r"`frontdesk ((?:[a-z][a-z-]* ?)+)")
_LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def tree() -> set[Path]:
    """What the tree of the architecture names: modules and folders, those of `ui` indented."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    named = set()
    for line in text.split("```")[1].strip().splitlines():
        entry = _ENTRY.fullmatch(line)
        assert entry, line
        named |= {Path("ui" if entry[1] else "") / name for name in entry[2].split()}
    return named


def test_the_tree_names_every_folder_and_nothing_else() -> None:
    folders = {path for area in (PACKAGE, PACKAGE / "ui") for path in area.iterdir() if _is_folder(path)}
    modules = {path for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    there = {path.relative_to(PACKAGE).with_suffix("") for path in folders | modules}
    assert tree() - {Path("apis/openapi")} == there


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.name.startswith("__")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_files_exist(document: Path) -> None:
    text = document.read_text()
    links = [document.parent / link for link in _LINK.findall(text)]
    paths = [ROOT / path for path in _PATH.findall(text)]
    assert [str(path) for path in links + paths if not path.exists()] == []


def test_functions_of_the_lock_order_exist() -> None:
    text = (ROOT / "docs" / "concurrency.md").read_text()
    rows = [line for line in text.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 9
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[3])}
    counters = {"order_number", "transaction_no", "drawer_number"}
    assert named - counters - FUNCTIONS == set()


def test_named_commands_exist() -> None:
    named = {(path.name, words) for path in DOCUMENTS + GUIDES for words in _COMMAND.findall(path.read_text())}
    assert len(named) > 20
    assert [(name, words) for name, words in sorted(named) if not _is_command(words.split())] == []


def _is_command(words: list[str]) -> bool:
    command: click.Command | None = main
    for word in words:
        if not isinstance(command, click.Group):
            return True  # what follows are arguments
        command = command.get_command(click.Context(command), word)
    return command is not None
