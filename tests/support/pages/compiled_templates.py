"""Templates that one test process has compiled are loaded by the others, which takes a twentieth of the time."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache

from frontdesk.ui.shell import rendering


def share_compiled_templates(folder: Path) -> None:
    """The folder is that of one run: the code contains the texts of its language."""
    folder.mkdir(parents=True, exist_ok=True)
    make = rendering._environment.__wrapped__

    @cache
    def environment(language: str) -> Environment:
        made = make(language)
        made.bytecode_cache = FileSystemBytecodeCache(str(folder), f"{language}-%s")
        return made

    rendering._environment = environment
