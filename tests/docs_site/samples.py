"""The code in the guides, as one program: what a reader would have done after pasting all of it."""

import asyncio
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from frontdesk.docs_site.guide_files import FOLDER
from tests.support.shop import Shop

RUN = {"sh": "bash", "python": "python3", "js": "node"}
SHOWN = {"json", "text"}  # what is sent or answered, not something to run
# Receivers, which listen until they are stopped: tests/webhooks/test_guide.py runs them. Commands about a database of
# their own: tests/docs_site/test_backups.py, tests/distributed/test_guide.py. TypeScript: tests/client_ts.
ELSEWHERE = {
    "typescript-client": {"ts"},
    "custom-data": {"ts"},
    "webhooks": {"python", "javascript"},
    "backups": {"sh"},
    "distributed": {"sh"},
}


class Sample(NamedTuple):
    language: str
    code: str


class Ended(NamedTuple):
    status: int
    output: str


def samples(name: str) -> list[Sample]:
    """Those that run here."""
    return [sample for sample in all_samples(name) if sample.language not in ELSEWHERE.get(name, ())]


def all_samples(name: str) -> list[Sample]:
    tokens = MarkdownIt("commonmark").parse((FOLDER / f"{name}.md").read_text("utf-8"))
    return [Sample(token.info.strip(), token.content) for token in tokens if token.type == "fence"]


def is_original(name: str) -> bool:
    """A translation has the samples of its original, so they run once (test_translations.py compares them)."""
    return not name.endswith("-ar")


def first_steps() -> list[Sample]:
    """The quick start's variables and token: all that a guide read alone builds on."""
    return samples("quick-start")[:2]


def as_a_reader(shop: Shop, project: Path) -> dict[str, str]:
    """The environment of a reader in the project's folder, who knows what the sandbox printed and nothing more."""
    here = Path(sys.prefix) / "bin"
    (project / ".venv").symlink_to(sys.prefix)
    found = [folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != here]
    return {
        "PATH": os.pathsep.join([*found, str(Path(sys.base_prefix) / "bin")]),
        "ORIGIN": shop.origin,
        "CLIENT_ID": shop.sandbox.client_id,
        "CLIENT_SECRET": shop.sandbox.client_secret,
        "API_KEY": shop.sandbox.api_key,
    }


async def run_samples(found: Iterable[Sample], folder: Path, environment: dict[str, str]) -> Ended:
    running = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        _program(found, folder),
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(running.communicate(), 300)
    return Ended(running.returncode or 0, output.decode())


def _program(found: Iterable[Sample], folder: Path) -> str:
    """Shell samples share one shell, so that each can use what an earlier one set; others run from it."""
    lines = ["set -euo pipefail"]
    for number, (language, code) in enumerate(found):
        lines.append(f"echo '--- sample {number} ({language})'")
        if language == "sh":
            lines.append(code)
        elif language in RUN:
            file = folder / f"sample{number}{'.mjs' if language == 'js' else '.py'}"
            file.write_text(code)
            lines.append(f"{RUN[language]} {file}")
        else:
            assert language in SHOWN, f"no program runs {language!r}"
    return "\n".join(lines)
