"""Options of an item in one cell, such as "Short: 250: 90; Long: 400: 150": name, price, and minutes or stock."""

import re
from decimal import Decimal
from typing import Any

from frontdesk.catalog.save_item import MAX_MINUTES, MAX_OPTIONS, MAX_STOCK
from frontdesk.catalog.types import ItemType
from frontdesk.imports.cell_values import Refused, read_amount, read_count, read_text, shorten
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import ImportSettings, Values
from frontdesk.values.ids import uuid7
from frontdesk.values.text import search_key, trim

_BETWEEN = re.compile(r"[;؛\n]")
_ARABIC = re.compile("[\u0600-\u06ff]")
_MAX_PARTS = 3
_MAX_NAME = 255


def read_options(text: str, type_: str, settings: ImportSettings) -> list[Values]:
    options = [_option(part, type_, settings) for part in _BETWEEN.split(text) if trim(part)]
    if len(options) > MAX_OPTIONS:
        raise Refused(RowProblem.TOO_MANY_OPTIONS, most=MAX_OPTIONS)
    known = [key for option in options for key in _keys(option)]
    if len(set(known)) < len(known):
        raise Refused(RowProblem.SAME_OPTION_NAME)
    return options


def merge_options(before: list[Values], given: list[Values]) -> list[Values]:
    """Options are recognized by their name. Those that are not given stay."""
    after = [dict(option) for option in before]
    for option in given:
        known = next((candidate for candidate in after if _keys(candidate) & _keys(option)), None)
        if known is None:
            after.append(_new(option))
        else:
            changes = {field: value for field, value in option.items() if field not in ("name", "quantity")}
            known.update(changes, name={**known["name"], **option["name"]})
    if any(row["offer_price"] is not None and Decimal(row["offer_price"]) >= Decimal(row["price"]) for row in after):
        raise Refused(RowProblem.OFFER_NOT_BELOW_PRICE)
    if len(after) > MAX_OPTIONS:
        raise Refused(RowProblem.TOO_MANY_OPTIONS, most=MAX_OPTIONS)
    return after


def shown_option(option: Values) -> str:
    """Each name is isolated, because the two are written in different directions."""
    names = [f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" for name in option["name"].values()]
    return f"{' / '.join(names)}: {option['price']}"


def _option(text: str, type_: str, settings: ImportSettings) -> Values:
    parts = [part.strip() for part in text.split(":")]
    if not 1 < len(parts) <= _MAX_PARTS:
        raise Refused(RowProblem.NOT_AN_OPTION, text=shorten(trim(text)))
    option: Values = {
        "name": _names(parts[0], settings),
        "price": read_amount(parts[1], settings.currency_decimals, RowProblem.WRONG_PRICE),
    }
    if len(parts) == _MAX_PARTS and type_ == ItemType.SERVICE:
        option["duration"] = read_count(parts[2], 1, MAX_MINUTES, RowProblem.WRONG_DURATION)
    elif len(parts) == _MAX_PARTS:
        option["quantity"] = read_count(parts[2], 0, MAX_STOCK, RowProblem.WRONG_STOCK)
    return option


def _names(text: str, settings: ImportSettings) -> dict[str, str]:
    """In one language, or in two: "Short / قصير"."""
    found: dict[str, str] = {}
    for part in text.split("/"):
        language = "ar" if _ARABIC.search(part) else "en"
        found.setdefault(language if language in settings.languages else settings.languages[0], trim(part))
    return {code: read_text(name, 1, _MAX_NAME, RowProblem.OPTION_NAME_LENGTH) for code, name in found.items()}


def _new(option: Values) -> Values:
    usual: dict[str, Any] = {"sku": None, "barcode": None, "offer_price": None, "is_active": True, "duration": None}
    return {"id": str(uuid7()), **usual, "quantity": None, "low_stock": None, **option}


def _keys(option: Values) -> set[str]:
    return {search_key(name) for name in option["name"].values()}
