"""The release after this one, made from this one: a later version, one more migration, and other functions."""

import re
import shutil
from pathlib import Path

import frontdesk
from frontdesk.server.database import functions_folder, migrations_folder

PACKAGE = Path(frontdesk.__file__).parent
VERSION = "99.0.0"
_MIGRATIONS = {
    "column": "-- migration: expand\nALTER TABLE orders ADD next_release text;\n",
    "index": (
        "-- migration: expand\nCREATE INDEX CONCURRENTLY orders_next_release ON orders (tenant_id, next_release);\n"
    ),
}


def make_next_release(folder: Path) -> Path:
    """Returns what PYTHONPATH names, so that `frontdesk` is the next release."""
    copy = folder / "next"
    shutil.copytree(PACKAGE, copy / "frontdesk", ignore=shutil.ignore_patterns("__pycache__"))
    _replace(copy / "frontdesk" / "__init__.py", r'__version__ = ".*"', f'__version__ = "{VERSION}"')
    migrations = copy / "frontdesk" / migrations_folder().relative_to(PACKAGE)
    for number, (name, sql) in enumerate(_MIGRATIONS.items(), len(list(migrations.iterdir())) + 1):
        (migrations / f"{number:04}_{name}.sql").write_text(sql)
    for function in (copy / "frontdesk" / functions_folder().relative_to(PACKAGE)).glob("*.sql"):
        function.write_text(f"{function.read_text('utf-8')}-- of the next release\n", "utf-8")
    return copy


def _replace(path: Path, pattern: str, text: str) -> None:
    changed, count = re.subn(pattern, text, path.read_text("utf-8"))
    assert count == 1, path
    path.write_text(changed, "utf-8")
