"""The public changelog: as a page, as JSON and as a feed."""

from datetime import UTC, datetime, time
from email.utils import format_datetime
from typing import Any
from xml.etree import ElementTree as Xml

from frontdesk.changelog.types import ChangeKind
from frontdesk.changelog.versions import ChangelogEntry, entries
from frontdesk.docs_site.pages import page
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response

_FRESH = {"cache-control": "public, max-age=300"}


async def changelog_page(request: Request) -> Response:
    return page(
        request, "changelog.html", title="Changelog", here="/changelog", entries=entries(), kinds=list(ChangeKind)
    )


async def changelog_json(_request: Request) -> Response:
    return json_response({"data": [_published(entry) for entry in entries()]}, headers=_FRESH)


async def changelog_feed(request: Request) -> Response:
    feed = Xml.Element("rss", version="2.0")
    channel = Xml.SubElement(feed, "channel")
    address = f"{request.origin}/changelog"
    _texts(channel, title="Frontdesk interfaces", link=address, description="What changes in the interfaces")
    for entry in entries():
        item = Xml.SubElement(channel, "item")
        title = f"{entry.interface}: {entry.title}{' (breaking)' if entry.breaking else ''}"
        _texts(item, title=title, link=f"{address}#{entry.id}", description=_described(entry))
        Xml.SubElement(item, "guid", isPermaLink="false").text = f"frontdesk-{entry.id}"
        if entry.date is not None:
            _texts(item, pubDate=format_datetime(datetime.combine(entry.date, time(), UTC)))
    body = Xml.tostring(feed, encoding="utf-8", xml_declaration=True)
    return Response(body, headers=_FRESH, content_type="application/rss+xml; charset=utf-8")


def _published(entry: ChangelogEntry) -> dict[str, Any]:
    by_kind: dict[str, list[dict[str, Any]]] = {"additions": [], "modifications": [], "removals": [], "breaking": []}
    for change in entry.changes:
        published = {"where": change.where, "text": change.text, "breaking": change.breaking}
        by_kind[f"{change.kind}s"].append(published)
        if change.breaking:
            by_kind["breaking"].append(published)
    return {"id": entry.id, "date": entry.date, "interface": entry.interface, "title": entry.title, **by_kind}


def _described(entry: ChangelogEntry) -> str:
    return "\n".join(f"{change.kind}: {change.where} {change.text}" for change in entry.changes)


def _texts(parent: Xml.Element, **texts: str) -> None:
    for name, text in texts.items():
        Xml.SubElement(parent, name).text = text
