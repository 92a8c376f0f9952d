"""Checks that the installed package contains its data files, so that a broken installation fails at start."""

from pathlib import Path

from frontdesk.errors import StartupError

_PACKAGE = Path(__file__).parent.parent
_FILES = (
    "ui/shell/templates/*.html",
    "apis/openapi/versions/*/*.json",
    "docs_site/templates/*.html",
    "docs_site/guides/*.md",
    "i18n/*.po",
    "invoices/templates/*",
    "packages/typescript/*",
    "postgres/functions/*.sql",
    "postgres/migrations/*.sql",
    "static/*",
)


def check_installation(package: Path = _PACKAGE) -> None:
    for pattern in _FILES:
        if not any(package.glob(pattern)):
            raise StartupError(f"{package / pattern.partition('*')[0]} is missing or empty: reinstall Frontdesk")
