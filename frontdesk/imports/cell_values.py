"""Reads the values of cells. A value that cannot be read raises `Refused`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from frontdesk.imports.problems import RowProblem
from frontdesk.net.email_domains import EmailError, normalize_email
from frontdesk.problems import Problem
from frontdesk.values.money import fits_currency
from frontdesk.values.phones import PhoneError, parse_phone
from frontdesk.values.text import ascii_digits, trim

_PLAIN_LOCAL_PART = re.compile(r"[A-Za-z0-9_+\-]+(\.[A-Za-z0-9_+\-]+)*")
_SHORTENED = re.compile(r"\d([.,]\d+)?E\+?\d+", re.IGNORECASE)  # 9.66501E+11: its last digits are lost
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,10})?")
_YES = frozenset({"yes", "y", "true", "1", "active", "نعم", "فعال", "نشط", "مفعل"})
_NO = frozenset({"no", "n", "false", "0", "inactive", "لا", "غير فعال", "غير نشط", "معطل"})


class Refused(Problem):
    """A row that cannot be imported."""

    fields: tuple[str, ...] = ()  # whose values can be left out instead


@contextmanager
def optional_value(*fields: str) -> Iterator[None]:
    """Inside, a value is read that the row can do without. Fields that belong together are left out together."""
    try:
        yield
    except Refused as refused:
        refused.fields = fields
        raise


def shorten(text: str) -> str:
    """As far as a problem repeats it."""
    return text if len(text) <= 40 else f"{text[:39]}…"


def read_text(text: str, least: int, most: int, otherwise: RowProblem) -> str:
    text = trim(text)
    if not least <= len(text) <= most:
        raise Refused(otherwise, least=least, most=most)
    return text


def read_phone(text: str, country: str) -> str:
    if _SHORTENED.fullmatch(text):
        raise Refused(RowProblem.SHORTENED_PHONE, text=shorten(text))
    try:
        return parse_phone(text, country)
    except PhoneError:
        raise Refused(RowProblem.NOT_A_PHONE, text=shorten(text)) from None


def read_email(text: str) -> str:
    """The local part of most addresses is plain; then only the domain needs the full check, once."""
    local, at, domain = text.strip().partition("@")
    try:
        if at and len(text) < 200 and len(local) <= 64 and _PLAIN_LOCAL_PART.fullmatch(local):
            return f"{local}@{_normal_domain(domain)}"
        return normalize_email(text)
    except EmailError:
        raise Refused(RowProblem.NOT_AN_EMAIL, text=shorten(text)) from None


@lru_cache(maxsize=4096)
def _normal_domain(domain: str) -> str:
    return normalize_email(f"a@{domain}").partition("@")[2]


def read_amount(text: str, decimals: int, otherwise: RowProblem) -> str:
    """As "1,000.00", "612,50" or with Arabic digits; returned as a plain decimal number."""
    number = _plain_number(text)
    try:
        amount = Decimal(number) if number is not None else None
    except InvalidOperation:
        amount = None
    if amount is None or amount < 0 or not fits_currency(amount, decimals):
        raise Refused(otherwise, text=shorten(text))
    return f"{amount.normalize():f}"  # as the database compares it


def read_count(text: str, least: int, most: int, otherwise: RowProblem) -> int:
    number = _plain_number(text)
    if number is None or Decimal(number) % 1 or not least <= int(Decimal(number)) <= most:
        raise Refused(otherwise, text=shorten(text), least=least, most=most)
    return int(Decimal(number))


def read_yes_or_no(text: str, otherwise: RowProblem) -> bool:
    folded = text.strip().casefold()
    if folded in _YES or folded in _NO:
        return folded in _YES
    raise Refused(otherwise, text=shorten(text))


def _plain_number(text: str) -> str | None:
    """A comma is a decimal point if it is the last separator and one to two digits follow it, otherwise it groups."""
    bare = ascii_digits(text).replace("٫", ".").replace("٬", "").replace("\u00a0", "").replace(" ", "").strip()
    head, comma, tail = bare.rpartition(",")
    if comma and "." not in tail:
        bare = f"{head.replace('.', '').replace(',', '')}.{tail}" if len(tail) in (1, 2) else bare.replace(",", "")
    bare = bare.replace(",", "")
    return bare if _NUMBER.fullmatch(bare) else None
