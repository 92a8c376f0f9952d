"""Guides are read in a checkout too, where they name an example. Their pages name the installation that serves them."""

from frontdesk.packages.offered import offered_packages

_EXAMPLE, _ANY_VERSION = "https://desk.example.com", "VERSION"


def with_own_address(text: str, origin: str) -> str:
    for package in offered_packages().values():
        text = text.replace(package.file_name(_ANY_VERSION), package.file_name())
    return text.replace(_EXAMPLE, origin)


def with_own_links(markdown: str, origin: str) -> str:
    """Read as a file, a link needs the whole address."""
    return with_own_address(markdown.replace("](/", f"]({origin}/"), origin)
