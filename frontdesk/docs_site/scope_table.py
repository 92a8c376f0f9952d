"""The table of scopes in the guide of authentication, from what the code declares."""

from collections import defaultdict
from functools import cache

from frontdesk.docs_site.labels import labels
from frontdesk.docs_site.operations import operations
from frontdesk.i18n.texts import translate
from frontdesk.ui.shell.scope_labels import SCOPE_GROUPS


@cache
def scope_table(language: str) -> str:
    words = labels(language)
    rows = [
        f"| `{scope.scope}` | {translate(language, scope.meaning)} | {_operations()[scope.scope]} |"
        for group in SCOPE_GROUPS
        for scope in group.scopes
    ]
    return "\n".join(
        [f"| {words['scope']} | {words['approved_text']} | {words['operations']} |", "|---|---|---|", *rows]
    )


@cache
def _operations() -> dict[str, str]:
    """By the scope that they require, as links to their pages."""
    found = defaultdict[str, list[str]](list)
    for operation in operations():
        for scope in operation.scopes:
            path = operation.path.removeprefix(operation.prefix)
            found[scope].append(f"[`{operation.method} {path}`]({operation.address})")
    return {scope: ", ".join(links) for scope, links in found.items()}
