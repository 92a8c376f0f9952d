"""Writes the examples into the package, from which an installation offers them: `python -m release.examples`."""

from pathlib import Path

import msgspec

from frontdesk.packages.examples import FILE

ROOT = Path(__file__).parent.parent
_ENDINGS = {".json", ".md", ".py", ".ts"}
_MADE = {"__pycache__", "dist", "node_modules"}


def example_files() -> dict[str, str]:
    """The texts by their paths in the project."""
    found = (path for path in (ROOT / "examples").rglob("*") if path.suffix in _ENDINGS)
    paths = sorted(path.relative_to(ROOT) for path in found)
    return {path.as_posix(): (ROOT / path).read_text("utf-8") for path in paths if not _MADE & set(path.parts)}


def main() -> None:
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(example_files()), indent=1) + b"\n")


if __name__ == "__main__":
    main()
