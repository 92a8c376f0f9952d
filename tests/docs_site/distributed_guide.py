"""The commands of the guide about a distributed database. They run on a Citus cluster in tests/distributed."""

import re

from frontdesk.docs_site.guide_files import FOLDER


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", (FOLDER / "distributed.md").read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]
