"""Rules that items, packages and categories share. Each returns or adds errors by field, in words for a form."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.catalog.changes import PriceEntry, Texts
from frontdesk.values.ids import short_code
from frontdesk.values.money import fits_currency
from frontdesk.values.text import search_key

Problems = Iterator[tuple[str, str]]
AMOUNT = "Enter an amount such as 12.50."
NAME = "Enter a name."


def name_problems(name: Texts) -> Problems:
    if not name:
        yield "name", NAME


def price_problems(price: PriceEntry, decimals: int) -> Problems:
    if price.price is None:
        yield "price", AMOUNT
    else:
        yield from amount_problems("price", price.price, decimals)
    yield from offer_problems("offer_price", price.offer_price, price.price, decimals)
    if price.offer_from and price.offer_until and price.offer_from > price.offer_until:
        yield "offer_until", "Enter a day that is not before the first."


def amount_problems(field: str, amount: Decimal | None, decimals: int) -> Problems:
    if amount is not None and (amount < 0 or not fits_currency(amount, decimals)):
        yield field, AMOUNT


def offer_problems(field: str, offer: Decimal | None, price: Decimal | None, decimals: int) -> Problems:
    yield from amount_problems(field, offer, decimals)
    if offer is not None and price is not None and offer >= price:
        yield field, "Enter an amount below the price."


def code_problems(codes: Iterable[tuple[str, str | None]], in_use: Mapping[str, str]) -> Problems:
    """`codes` are fields with a code; `in_use` has the names of the records that use a code already."""
    entered: set[str] = set()
    for field, code in codes:
        if code is None:
            continue
        if code in in_use:
            yield field, f"This code is already used by '{in_use[code]}'."
        elif code in entered:
            yield field, "This code is entered twice."
        entered.add(code)


def collect(problems: Problems) -> dict[str, list[str]]:
    """The first problem of each field."""
    found: dict[str, list[str]] = {}
    for field, text in problems:
        found.setdefault(field, [text])
    return found


def new_slug(name: Texts, id_: UUID) -> str:
    """Readable where the name has Latin letters, and unique by its end."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in name.get("en", "").lower())
    return "-".join([*words.split()[:8], short_code(id_)])


def names_search_key(name: Texts) -> str:
    return search_key("\n".join(name.values()))
