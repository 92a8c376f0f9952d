"""Rules that items, packages and categories share. Each yields problems."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.catalog.changes import PriceEntry, Texts
from frontdesk.catalog.problems import CatalogProblem
from frontdesk.problems import Problem, raise_all
from frontdesk.values.ids import short_code
from frontdesk.values.money import fits_currency
from frontdesk.values.text import search_key

Path = tuple[str | int, ...]  # of a field


def name_problems(name: Texts) -> Iterator[Problem]:
    if not name:
        yield Problem(CatalogProblem.NAME_REQUIRED, "name")


def price_problems(price: PriceEntry, decimals: int) -> Iterator[Problem]:
    if price.price is None:
        yield Problem(CatalogProblem.NOT_AN_AMOUNT, "price")
    else:
        yield from amount_problems(price.price, decimals, "price")
    yield from offer_problems(price.offer_price, price.price, decimals, "offer_price")
    if price.offer_from and price.offer_until and price.offer_from > price.offer_until:
        yield Problem(CatalogProblem.OFFER_ENDS_BEFORE, "offer_until")


def amount_problems(amount: Decimal | None, decimals: int, *at: str | int) -> Iterator[Problem]:
    if amount is not None and amount < 0:
        yield Problem(CatalogProblem.NEGATIVE_AMOUNT, *at)
    elif amount is not None and not fits_currency(amount, decimals):
        yield Problem(CatalogProblem.TOO_MANY_DECIMALS, *at, most=decimals)


def offer_problems(offer: Decimal | None, price: Decimal | None, decimals: int, *at: str | int) -> Iterator[Problem]:
    yield from amount_problems(offer, decimals, *at)
    if offer is not None and price is not None and offer >= price:
        yield Problem(CatalogProblem.OFFER_NOT_BELOW_PRICE, *at)


def code_problems(codes: Iterable[tuple[Path, str | None]], in_use: Mapping[str, str]) -> Iterator[Problem]:
    """`codes` are fields with a code; `in_use` has the names of the records that use a code already."""
    entered: set[str] = set()
    for at, code in codes:
        if code is None:
            continue
        if code in in_use:
            yield Problem(CatalogProblem.CODE_TAKEN, *at, name=in_use[code])
        elif code in entered:
            yield Problem(CatalogProblem.CODE_TWICE, *at)
        entered.add(code)


def raise_first_of_each_field(problems: Iterable[Problem]) -> None:
    found: dict[Path, Problem] = {}
    for problem in problems:
        found.setdefault(problem.at, problem)
    raise_all(list(found.values()))


def new_slug(name: Texts, id_: UUID) -> str:
    """Readable where the name has Latin letters, and unique by its end."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in name.get("en", "").lower())
    return "-".join([*words.split()[:8], short_code(id_)])


def names_search_key(name: Texts) -> str:
    return search_key("\n".join(name.values()))
