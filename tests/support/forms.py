"""Reads the fields of a form in a page, so that a test changes only what it is about."""

import re
from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, list[str]]] = {}
        self._fields: dict[str, list[str]] | None = None
        self._select: str | None = None
        self._first: str | None = None
        self._area: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            action, _, _ = (given.get("action") or "").partition("#")
            self._fields = self.forms.setdefault(action, {})
        if self._fields is None:
            return
        name, value = given.get("name"), given.get("value") or ""
        if tag == "input" and name and given.get("type") not in ("file", "submit") and "disabled" not in given:
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self._fields.setdefault(name, []).append(value)
        elif tag == "select":
            self._select, self._first = name, None
        elif tag == "option" and self._select:
            self._first = value if self._first is None else self._first
            if "selected" in given:
                self._fields[self._select] = [value]
        elif tag == "textarea" and name:
            self._area = name
            self._fields[name] = [""]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None
        if tag == "select" and self._select and self._fields is not None:
            self._fields.setdefault(self._select, [self._first or ""])
            self._select = None
        if tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area and self._fields is not None:
            self._fields[self._area][0] += data


def form_fields(page: str, action: str) -> dict[str, list[str]]:
    """The values with which a browser would send the form of that address, without its token."""
    reader = _Forms()
    reader.feed(page)
    fields = reader.forms[action]
    fields.pop("form_token", None)
    return fields


def texts(page: str) -> str:
    """What a reader sees, with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
