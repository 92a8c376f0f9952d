"""The public pages that need no account: API descriptions, documentation, changelog."""

from collections.abc import Awaitable, Callable
from functools import partial
from urllib.parse import parse_qs

from frontdesk.apis.openapi.build import NAMES
from frontdesk.docs_site.addresses import GUIDES
from frontdesk.docs_site.changelog import changelog_feed, changelog_json, changelog_page
from frontdesk.docs_site.descriptions import description_addresses, description_page
from frontdesk.docs_site.errors import error_addresses, error_page
from frontdesk.docs_site.guide_files import LANGUAGES, grouped_guides, guide_names, guides, translation
from frontdesk.docs_site.labels import labels
from frontdesk.docs_site.markdown_pages import FULL_ADDRESS, LIST_ADDRESS, full_page, list_page, markdown_page
from frontdesk.docs_site.operations import operation_addresses
from frontdesk.docs_site.own_address import with_own_address
from frontdesk.docs_site.packages import package_file, packages_page
from frontdesk.docs_site.pages import page
from frontdesk.docs_site.reference import ASSETS, operation_page, reference_asset, reference_index, try_page
from frontdesk.docs_site.search import search
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.packages.offered import ADDRESS as PACKAGES_ADDRESS, offered_packages

Page = Callable[[Request], Awaitable[Response]]
# Addresses that people try because a longer one begins with them.
_BEGINNINGS = {GUIDES: "/docs", "/developers": "/developers/sign-up"}


def documentation() -> dict[str, Page]:
    """Maps paths to pages. A page is rendered on its first request, not at start."""
    pages: dict[str, Page] = {
        "/docs": index_page,
        "/docs/search": search_page,
        "/docs/reference": reference_index,
        "/changelog": changelog_page,
        "/changelog.json": changelog_json,
        "/changelog.rss": changelog_feed,
        PACKAGES_ADDRESS: packages_page,
        f"{PACKAGES_ADDRESS}/": packages_page,
        **dict.fromkeys(ASSETS, reference_asset),
    }
    pages |= {f"/docs/{name}": partial(try_page, name) for name in NAMES}
    pages |= {address: partial(description_page, name) for address, name in description_addresses().items()}
    pages |= {f"{GUIDES}/{name}": partial(guide_page, name) for name in guide_names()}
    pages |= {address: partial(error_page, code) for address, code in error_addresses().items()}
    pages |= {f"{GUIDES}/{name}.md": partial(markdown_page, name) for name in guide_names()}
    pages |= {package.address: partial(package_file, name) for name, package in offered_packages().items()}
    pages |= {LIST_ADDRESS: list_page, FULL_ADDRESS: full_page}
    pages |= {address: partial(operation_page, *ids) for address, ids in operation_addresses().items()}
    pages |= {address: partial(other_address, there) for address, there in _BEGINNINGS.items()}
    with_slash = {f"{address}/": partial(other_address, _BEGINNINGS.get(address, address)) for address in pages}
    return with_slash | pages


async def other_address(address: str, request: Request) -> Response:
    query = request.scope["query_string"].decode("ascii", "replace")
    return Response(b"", 308, {"location": f"{address}?{query}" if query else address, "cache-control": "no-cache"})


async def index_page(request: Request) -> Response:
    language = _language(request)
    title = labels(language)["documentation"]
    return page(request, "index.html", language, title=title, here="/docs", groups=grouped_guides(language))


async def guide_page(name: str, request: Request) -> Response:
    guide = next(guide for guide in guides() if guide.name == name)
    groups = grouped_guides(guide.language)
    listed = [other for group in groups.values() for other in group]
    index = listed.index(guide)
    return page(
        request,
        "guide.html",
        guide.language,
        title=guide.title,
        here=guide.address,
        guide=guide,
        html=with_own_address(guide.html, request.origin),
        groups=groups,
        group=next(group for group, members in groups.items() if guide in members),
        translation=translation(guide),
        previous=listed[index - 1] if index else None,
        next=listed[index + 1] if index + 1 < len(listed) else None,
    )


async def search_page(request: Request) -> Response:
    text = _asked(request, "q")[:100]
    language = _language(request)
    return page(
        request,
        "search.html",
        language,
        title=labels(language)["search_title"],
        here="/docs/search",
        query=text,
        found=search(text, language),
        groups=grouped_guides(language),
    )


def _language(request: Request) -> str:
    asked = _asked(request, "language")
    return asked if asked in LANGUAGES else "en"


def _asked(request: Request, name: str) -> str:
    query: str = request.scope["query_string"].decode("ascii", "replace")
    return parse_qs(query).get(name, [""])[0]
