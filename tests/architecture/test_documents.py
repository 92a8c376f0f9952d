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
OPERATING = (PACKAGE / "docs_site" / "guides" / "operating.md").read_text()
MONITORING = (PACKAGE / "docs_site" / "guides" / "monitoring.md").read_text()
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
# Names of Python and PostgreSQL that our code does not contain.
FOREIGN = {"_missing_", "writelines", "tarfile", "_releaseLock", "pg_trgm", "MALLOC_TRIM_THRESHOLD_"}
_SOURCES = {".py", ".sql", ".html", ".js"}
_ENTRY = re.compile(r"( *)([a-z0-9_/ ]+?)(?: {2,}.*|)")
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
    """And some folders inside them, such as apis/openapi."""
    folders = {path for area in (PACKAGE, PACKAGE / "ui") for path in area.iterdir() if _is_folder(path)}
    modules = {path for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    there = {path.relative_to(PACKAGE).with_suffix("") for path in folders | modules}
    assert there <= tree()
    assert [path for path in tree() - there if len(path.parts) == 1 or not _is_folder(PACKAGE / path)] == []


def _is_folder(path: Path) -> bool:
    """Not one that a rename has left behind, with nothing but compiled files in it."""
    return path.is_dir() and any(file.is_file() and "__pycache__" not in file.parts for file in path.rglob("*"))


def test_the_ways_through_the_code_name_few_files_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    ways = text.partition("## Four ways")[2].partition("\n## ")[0].split("\n### ")[1:]
    assert len(ways) == 4
    for way in ways:
        files = re.findall(r"^\d+\. \**`(frontdesk/[\w./]+)`", way, re.MULTILINE)
        assert 5 <= len(files) == len(set(files)) <= 10
        assert len(files) == len(re.findall(r"^\d+\. ", way, re.MULTILINE))
        assert [path for path in files if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_files_exist(document: Path) -> None:
    text = document.read_text()
    links = [document.parent / link for link in _LINK.findall(text)]
    paths = [ROOT / path for path in _PATH.findall(text)]
    assert [str(path) for path in links + paths if not path.exists()] == []


def test_named_code_exists() -> None:
    """Functions, tables, columns, settings of PostgreSQL: what stands between backquotes is a word of the code."""
    missing = {
        word
        for path in (ROOT / "docs").rglob("*.md")
        for name in re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", path.read_text())
        for word in name.split(".")
    }
    assert len(missing) > 300
    for folder in ("frontdesk/postgres", "frontdesk", "client", "tests", "bench", "examples", "release"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in _SOURCES and path != Path(__file__):
                words = path.stem + path.read_text()
                missing = {word for word in missing if word not in words}
    assert missing - FOREIGN - {"md"} == set()


def test_functions_of_the_lock_order_exist() -> None:
    text = (ROOT / "docs" / "concurrency.md").read_text()
    rows = [line for line in text.splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 10
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[3])}
    assert named - FUNCTIONS == set()


def test_counters_are_locked_in_the_written_order() -> None:
    text = (ROOT / "docs" / "concurrency.md").read_text()
    (row,) = [line.split("|")[2] for line in text.splitlines() if line.startswith("| 6 ")]
    counters = re.findall(r"`(\w+)`", row)
    assert {"order_number", "transaction_no", "day_close_number"} <= set(counters)
    for path in (PACKAGE / "postgres" / "functions").glob("*.sql"):
        taken = re.findall(r"next_number\(p_tenant, '(\w+)'", path.read_text())
        places = [counters.index(name) for name in taken if name != "events"]
        assert places == sorted(places), path.name
    day = (PACKAGE / "postgres" / "functions" / "lock_day_counters.sql").read_text()
    (names,) = re.findall(r"name IN \(([^)]*)\)\s+ORDER BY name", day)
    locked = sorted(re.findall(r"\w+", names))
    assert [counters.index(name) for name in locked] == sorted(counters.index(name) for name in locked)


def test_the_operating_guide_lists_every_setting() -> None:
    read = set(re.findall(r"""(?:text|number|switch)\("([A-Z_]+)\"""", (PACKAGE / "config.py").read_text()))
    listed = set(re.findall(r"`FRONTDESK_([A-Z_]+)`", OPERATING.partition("|---|---|---|")[2].partition("\n\n")[0]))
    assert len(read) > 15
    assert listed == read


def test_the_guide_about_monitoring_explains_every_metric() -> None:
    code = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    metrics = set(re.findall(r"""(?:Counter|[Gg]auge|Histogram|MetricFamily)\(\s*"(frontdesk_\w+)\"""", code))
    assert len(metrics) > 25
    assert {name for name in metrics if f"`{name}`" not in MONITORING} == set()


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
