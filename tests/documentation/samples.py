"""The code in a guide, as one program: what a reader would have done after pasting all of it."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

RUN = {"sh": "bash", "python": "python3", "js": "node"}
SHOWN = {"json"}  # what is sent or answered, not something to run
# Receivers, which listen until they are stopped: tests/events/test_guide.py runs them.
ELSEWHERE = {"webhooks": {"python", "javascript"}}


class Sample(NamedTuple):
    language: str
    code: str


class Ended(NamedTuple):
    status: int
    told: str


def samples(guide: Path) -> list[Sample]:
    tokens = MarkdownIt("commonmark").parse(guide.read_text("utf-8"))
    found = [Sample(token.info.strip(), token.content) for token in tokens if token.type == "fence"]
    return [sample for sample in found if sample.language not in ELSEWHERE.get(guide.stem, ())]


def program(found: list[Sample], folder: Path) -> str:
    """Shell samples share one shell, so that each can use what an earlier one set; others run from it."""
    lines = ["set -euo pipefail"]
    for number, (language, code) in enumerate(found):
        if language == "sh":
            lines.append(code)
        elif language in RUN:
            file = folder / f"sample{number}{'.mjs' if language == 'js' else '.py'}"
            file.write_text(code)
            lines.append(f"{RUN[language]} {file}")
        else:
            assert language in SHOWN, f"nobody runs {language!r}"
    return "\n".join(lines)


async def run_samples(guide: Path, folder: Path, environment: dict[str, str]) -> Ended:
    running = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        program(samples(guide), folder),
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    told, _ = await asyncio.wait_for(running.communicate(), 120)
    return Ended(running.returncode or 0, told.decode())
