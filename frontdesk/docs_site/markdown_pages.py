"""The guides for programs that read text: each as Markdown, a list of them, all in one file (llmstxt.org)."""

from functools import cache

from frontdesk.docs_site.descriptions import description_addresses
from frontdesk.docs_site.guide_files import Guide, grouped_guides, guides, markdown_source
from frontdesk.docs_site.labels import labels
from frontdesk.docs_site.own_address import with_own_links
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.packages.offered import ADDRESS

LIST_ADDRESS = "/llms.txt"
FULL_ADDRESS = "/llms-full.txt"
_SUMMARY = (
    "# Frontdesk\n\n"
    "> Open, self-hostable booking and point of sale: a dashboard for the business, an Open API with OAuth 2.0 and"
    " webhooks for applications, and an API with keys for tills.\n\n"
    "Begin with the quick start. The OpenAPI descriptions name every operation, field, limit and error.\n"
)
_HEADERS = {
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
}
_MARKDOWN = "text/markdown; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"


async def markdown_page(name: str, request: Request) -> Response:
    text = with_own_links(markdown_source(name), request.origin)
    return Response(text.encode(), headers=_HEADERS, content_type=_MARKDOWN)


async def list_page(request: Request) -> Response:
    return Response(_list(request.origin).encode(), headers=_HEADERS, content_type=_TEXT)


async def full_page(request: Request) -> Response:
    return Response(with_own_links(_full(), request.origin).encode(), headers=_HEADERS, content_type=_TEXT)


def _list(origin: str) -> str:
    words = labels("en")
    parts = [_SUMMARY]
    for name, found in grouped_guides("en").items():
        rows = [f"- [{guide.title}]({origin}{guide.markdown_address}): {_contents(guide)}" for guide in found]
        parts.append("\n".join([f"## {words[name]}\n", *rows, ""]))
    descriptions = [f"- [{name}]({origin}{address})" for address, name in description_addresses().items()]
    parts.append("\n".join(["## OpenAPI descriptions\n", *descriptions, ""]))
    others = [
        f"- [Every guide in one file]({origin}{FULL_ADDRESS})",
        f"- [Changes of the APIs]({origin}/changelog.json)",
        f"- [Packages: both clients, the command line and runnable examples]({origin}{ADDRESS})",
        *(f"- [{guide.title}]({origin}{guide.markdown_address})" for guide in guides() if guide.language != "en"),
    ]
    parts.append("\n".join(["## Optional\n", *others, ""]))
    return "\n".join(parts)


def _contents(guide: Guide) -> str:
    """The sections of the first two levels say best what a guide has."""
    return ", ".join(section.title for section in guide.sections[1:9]) or guide.title


@cache
def _full() -> str:
    written = (guide for group in grouped_guides("en").values() for guide in group)
    return "\n".join([_SUMMARY, *(markdown_source(guide.name) for guide in written)])
