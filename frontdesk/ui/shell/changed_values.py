"""The values of a recorded change as text, in the language of the page."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl

from babel import Locale

from frontdesk.activity.types import ActivityEntry, RecordedChange
from frontdesk.i18n.texts import N_, translate
from frontdesk.ui.shell.changed_fields import FIELDS, IMPORTED, WORDS
from frontdesk.ui.shell.formatting import Formatter, calendar_date
from frontdesk.ui.shell.scope_labels import SCOPE_NAMES
from frontdesk.values.phones import spaced

_AMOUNTS = frozenset(
    {"account_limit", "amount", "cost", "counted", "expected", "float_amount", "offer_price", "price", "total"}
)
_TIMES = frozenset({"arrived_at", "ends_at", "starts_at"})
_MINUTES = frozenset({"quiet_from", "quiet_until"})  # of the day
_COUNTRIES = frozenset({"country", "phone_country"})
_NAMED = frozenset({"branch_id", "category_id", "method_id", "tax_class_id"})  # ids whose names the entry has
_PICTURES = frozenset({"cover_id", "logo_id", "picture_id"})
_OF_ACTION = {("order.created", "amount"): N_("Paid")}  # labels that differ from FIELDS
_NOT_OF_NEW = frozenset({"public_name", "slug", "sort_order"})  # what a new or deleted record has by itself
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_RATE = re.compile(r"(\d{4}-\d\d-\d\d) ([0-9.]+) %")
_WORD_FIELDS = frozenset({"how", "kind", "list", "part_of_day", "plan", "reason", "role", "shows", "status", "type"})
_IDENTIFIERS = ("_id", "_ids")  # columns that hold ids say nothing to a person


def changed_values(
    change: RecordedChange, language: str, format_: Formatter
) -> list[tuple[str, str | None, str | None]]:
    """Label, old and new text of each field; None where there was or is no value."""
    before, after = change.before or {}, change.after or {}
    names = [name for name in {*before, *after} if _is_shown(name, change)]
    shown = [(_label(name, language, change.action), *_both(name, change, language, format_)) for name in names]
    return sorted(row for row in shown if row[1:] != (None, None))


def _is_shown(name: str, change: RecordedChange) -> bool:
    """Not what says nothing to a person: ids without names, and what every new record has."""
    before, after = change.before or {}, change.after or {}
    if name.endswith(_IDENTIFIERS):
        return name in _PICTURES or (name in _NAMED and change.names is not None)
    if name == "phone_country":
        return "phone" not in {*before, *after}
    if change.before is not None and change.after is not None:
        return True
    value = after.get(name, before.get(name))
    is_default = (value is False and name != "notify") or (name.startswith("buffer_") and value == 0)
    has_paid_nothing = change.action == "order.created" and name == "amount" and Decimal(str(value)) == 0
    return not (is_default or has_paid_nothing or name in _NOT_OF_NEW)


def subject_name(entry: ActivityEntry, format_: Formatter) -> str | None:
    """In the language of the page, if the record still has the name that it had, or the change contains it."""
    known = [(entry.names or {}).get(str(entry.subject_id))]
    known += [values.get("name") for values in (entry.after, entry.before) if values is not None]
    names = (name for name in known if isinstance(name, dict) and entry.subject in name.values())
    return next((format_.localized(name) for name in names), entry.subject)


def shown_day(text: str, language: str) -> str:
    """A text that is a date as pages show dates; any other as it is."""
    return calendar_date(date.fromisoformat(text), language) if _DAY.fullmatch(text) else text


def _both(name: str, change: RecordedChange, language: str, format_: Formatter) -> tuple[str | None, str | None]:
    """A text that differs only in the other language is shown in both."""
    before, after = change.before or {}, change.after or {}
    if name in _PICTURES:
        return _pictures(before.get(name), after.get(name), language)
    if name in _NAMED:
        old, new = (_name(values.get(name), change, language, format_) for values in (before, after))
    else:
        old, new = (_value(name, values, language, format_) for values in (before, after))
    if old == new and isinstance(before.get(name), dict) and isinstance(after.get(name), dict):
        old, new = (_text(list(values[name].values()), language, format_) for values in (before, after))
    return old, new


def _pictures(old: str | None, new: str | None, language: str) -> tuple[str | None, str | None]:
    picture, other = (translate(language, text) for text in (N_("a picture"), N_("another picture")))
    return picture if old else None, (other if old else picture) if new else None


def _name(id_: str | None, change: RecordedChange, language: str, format_: Formatter) -> str | None:
    if id_ is None:
        return None
    name = (change.names or {}).get(id_)
    return _text(name, language, format_) or translate(language, N_("a record that was deleted"))


def _label(name: str, language: str, action: str = "") -> str:
    label = _OF_ACTION.get((action, name)) or FIELDS.get(name) or IMPORTED.get(name)
    return translate(language, label) if label else name.replace("_", " ").capitalize()


def _value(  # noqa: PLR0911, PLR0912 - one row a kind
    name: str, values: Mapping[str, Any], language: str, format_: Formatter
) -> str | None:
    value = values.get(name)
    if name in _AMOUNTS and value is not None:
        return format_.price(Decimal(str(value)))
    if name in _TIMES and value is not None:
        moment = datetime.fromisoformat(value)
        return f"{format_.short_date(moment)} {format_.time(moment)}"
    if name in _MINUTES and value is not None:
        return f"{value // 60:02}:{value % 60:02}"
    if name in _COUNTRIES and value is not None:
        return str(Locale(language).territories.get(value, value))
    if name == "phone" and value:
        return spaced(value)
    if name == "birthday" and isinstance(value, str):
        return format_.birthday(value)
    if name == "status" and isinstance(value, bool):
        return translate(language, N_("Active") if value else N_("Inactive"))
    if name == "texts" and isinstance(value, dict):
        return _text(list(_leaves(value)), language, format_)
    if name == "columns" and isinstance(value, list):
        return _columns(value, language)
    if isinstance(value, list) and name in _PARTS:
        parts = (_PARTS[name](part, language, format_) for part in value)
        return translate(language, N_(", ")).join(parts) or None
    if name == "query" and isinstance(value, str):
        return translate(language, N_(", ")).join(f"{field}: {text}" for field, text in parse_qsl(value)) or None
    if name == "timezone" and isinstance(value, str):
        return format_.zone(value)
    if name in _WORD_FIELDS and isinstance(value, str) and value in WORDS:
        return translate(language, WORDS[value])
    return _text(value, language, format_)


def _part(part: Any, language: str, format_: Formatter) -> str:  # noqa: ANN401 - any JSON
    """An option, a part of a package, a service of a staff member or who performs it, with what is its own."""
    if not isinstance(part, dict):
        return str(part)
    name = _text(part["name"], language, format_) or ""
    if "quantity" in part:
        name = f"{part['quantity']} × {name}"
    own = [
        translate(language, text) % {"value": show(part[key])}
        for key, (text, show) in _own_parts(format_).items()
        if key in part
    ]
    if part.get("is_active") is False:
        own.append(translate(language, N_("Inactive")))
    return f"{name} ({translate(language, N_(', ')).join(own)})" if own else name


def _own_parts(format_: Formatter) -> Mapping[str, tuple[str, Callable[[Any], str]]]:
    def price(value: str) -> str:
        return format_.price(Decimal(value))

    return {
        "price": ("%(value)s", price),
        "offer_price": (N_("offer %(value)s"), price),
        "duration": (N_("%(value)s min"), str),
        "sku": (N_("SKU %(value)s"), str),
        "barcode": (N_("barcode %(value)s"), str),
        "low_stock": (N_("low at %(value)s"), str),
    }


def _rate(part: str, language: str, format_: Formatter) -> str:
    """A rate of a tax class, stored as "2026-07-01 15.00 %"."""
    found = _RATE.fullmatch(part)
    if found is None:
        return part
    values = {"rate": f"{Decimal(found[2]).normalize():f}", "day": _text(found[1], language, format_)}
    return translate(language, N_("%(rate)s%% from %(day)s")) % values


def _language_name(code: str, language: str, _: Formatter) -> str:
    return str(Locale(language).languages.get(code, code))


def _scope(scope: str, language: str, _: Formatter) -> str:
    return translate(language, SCOPE_NAMES[scope]) if scope in SCOPE_NAMES else scope


_PARTS: Mapping[str, Callable[[Any, str, Formatter], str]] = {  # lists whose parts are not plain texts
    "contents": _part,
    "languages": _language_name,
    "options": _part,
    "performers": _part,
    "rates": _rate,
    "scopes": _scope,
    "services": _part,
}


def _leaves(value: Mapping[str, Any]) -> Iterator[str]:
    """The texts of messages, by kind, language and part."""
    for part in value.values():
        if isinstance(part, dict):
            yield from _leaves(part)
        else:
            yield str(part)


def _columns(pairs: list[list[str]], language: str) -> str | None:
    """Columns of an imported table, each with the field that it becomes."""
    left_out = translate(language, N_("Leave out"))
    shown = [f"{name}: {_label(field, language) if field else left_out}" for name, field in pairs]
    return translate(language, N_(", ")).join(shown) or None


def _text(value: Any, language: str, format_: Formatter) -> str | None:  # noqa: ANN401 - any JSON
    match value:
        case None | "" | []:
            return None
        case bool():
            return translate(language, N_("Yes") if value else N_("No"))
        case list():
            return translate(language, N_(", ")).join(filter(None, (_text(part, language, format_) for part in value)))
        case dict():
            return format_.localized({name: str(text) for name, text in value.items()})
        case str():
            return shown_day(value, language)
        case _:
            return str(value)
