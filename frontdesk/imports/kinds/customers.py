"""Customers from a table. They are recognized by their phone number, else by their e-mail address."""

import re
from collections.abc import Callable
from datetime import timedelta

from frontdesk.customers.types import CustomerType
from frontdesk.imports.cell_values import Refused, optional_value, read_email, read_phone, read_text, shorten
from frontdesk.imports.fields import Field, names
from frontdesk.imports.kinds.kind import Cells, ImportDefinition
from frontdesk.imports.kinds.queries import find_customers
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import ImportSettings, Key, ParsedRow, Values
from frontdesk.values.birthdays import parse_birthday
from frontdesk.values.clock import current_time
from frontdesk.values.phones import digits_of
from frontdesk.values.text import search_key, trim

_FIELDS = (
    Field(
        "full_name",
        names(
            "name, customer, customer name, client, client name, full name, الاسم, اسم العميل, العميل, الاسم "
            "الكامل, اسم العميلة, العميلة, الزبون"
        ),
    ),
    Field("first_name", names("first name, given name, الاسم الأول, الاسم الاول")),
    Field("last_name", names("last name, family name, surname, اسم العائلة, العائلة, اللقب, الاسم الأخير")),
    Field(
        "phone",
        names(
            "mobile, phone, mobile no, mobile number, phone no, phone number, telephone, tel, whatsapp, cell, "
            "جوال, الجوال, رقم الجوال, هاتف, الهاتف, رقم الهاتف, موبايل, واتساب, رقم التواصل, رقم الموبايل"
        ),
    ),
    Field("phone_country", names("phone country, country, country code, الدولة, رمز الدولة")),
    Field(
        "email",
        names("e mail, mail, email address, e mail address, البريد, البريد الإلكتروني, الايميل, ايميل"),
    ),
    Field("type", names("customer type, نوع العميل, النوع")),
    Field("city", names("town, المدينة, مدينة")),
    Field("address", names("street, العنوان, عنوان")),
    Field("note", names("notes, remarks, comment, comments, ملاحظة, ملاحظات, الملاحظات")),
    Field(
        "tax_registration_number", names("tax number, vat number, vat no, tax id, الرقم الضريبي, رقم التسجيل الضريبي")
    ),
    Field(
        "birthday",
        names("birth date, date of birth, birthdate, dob, born, تاريخ الميلاد, الميلاد, يوم الميلاد, عيد الميلاد"),
    ),
    Field("allergies", names("allergy, allergic to, الحساسية, حساسية, حساسية من")),
    Field(
        "favorite_provider",
        names(
            "favorite, favourite, favourite provider, preferred provider, preferred staff, المفضل, المفضلة, "
            "مقدم الخدمة المفضل"
        ),
    ),
    Field("tags", names("tag, labels, group, groups, الوسم, الوسوم, وسوم, التصنيف, المجموعة")),
)
_TAG_SEPARATORS = re.compile("[,،;؛|]")
_COMPANY = frozenset({"company", "business", "شركة", "منشأة", "مؤسسة"})
_INDIVIDUAL = frozenset({"individual", "person", "فرد", "شخص"})
_TAX_NUMBER = re.compile(r"\d{15}")
MAX_TAGS = 20
MAX_TAG = 50  # characters, as in the form


def _parse(number: int, cells: Cells, settings: ImportSettings) -> ParsedRow:
    name = cells.get("full_name") or " ".join(filter(None, [cells.get("first_name"), cells.get("last_name")]))
    try:
        record = _record(cells, settings)
    except Refused as refused:
        return ParsedRow(number, name, cells.get("phone") or cells.get("email"), None, refused)
    keys = []
    if "phone" in record:
        keys.append(Key("phone", digits_of(record["phone"])))
    if "email" in record:
        keys.append(Key("email", record["email"].lower()))
    return ParsedRow(number, name, record.get("phone") or record.get("email"), record, None, tuple(keys[:1]))


def _record(cells: Cells, settings: ImportSettings) -> Values:
    record: Values = _name(cells)
    if "phone" in cells:
        country = cells.get("phone_country", settings.country).upper()
        country = country if re.fullmatch("[A-Z]{2}", country) else settings.country
        with optional_value("phone"):
            record |= {"phone": read_phone(cells["phone"], country), "phone_country": country}
    readers: dict[str, Callable[[str], object]] = {
        "email": read_email,
        "type": _type,
        "city": lambda text: read_text(text, 3, 255, RowProblem.CITY_LENGTH),
        "address": lambda text: read_text(text, 3, 255, RowProblem.ADDRESS_LENGTH),
        "note": lambda text: read_text(text, 1, 5000, RowProblem.NOTE_LENGTH),
        "tax_registration_number": _tax_number,
        "birthday": _birthday,
        "allergies": lambda text: read_text(text, 1, 1000, RowProblem.ALLERGIES_LENGTH),
        "favorite_provider": trim,
        "tags": _tags,
    }
    for field, read in readers.items():
        if field in cells:
            with optional_value(field):
                record[field] = read(cells[field])
    return record


def _name(cells: Cells) -> Values:
    first, last = cells.get("first_name", ""), cells.get("last_name", "")
    if not first:
        first, _, rest = trim(cells.get("full_name", "")).partition(" ")
        last = last or rest.strip()
    if last and len(last) < 2:
        first, last = f"{first} {last}", ""
    if len(trim(first)) < 2:
        raise Refused(RowProblem.NO_NAME, least=2)
    first = read_text(first, 2, 100, RowProblem.FIRST_NAME_LENGTH)
    return {"first_name": first, "last_name": read_text(last, 2, 100, RowProblem.LAST_NAME_LENGTH) if last else None}


def _type(text: str) -> str:
    folded = text.casefold()
    if folded in _COMPANY or folded in _INDIVIDUAL:
        return (CustomerType.COMPANY if folded in _COMPANY else CustomerType.INDIVIDUAL).value
    raise Refused(RowProblem.WRONG_CUSTOMER_TYPE)


def _tax_number(text: str) -> str:
    digits = digits_of(text)
    if not _TAX_NUMBER.fullmatch(digits):
        raise Refused(RowProblem.WRONG_TAX_NUMBER, count=15)
    return digits


def _birthday(text: str) -> str:
    birthday = parse_birthday(text, current_time().date() + timedelta(days=1))  # somewhere it is tomorrow already
    if birthday is None:
        raise Refused(RowProblem.NOT_A_BIRTHDAY, text=shorten(text))
    return birthday


def _tags(text: str) -> list[str]:
    names = [tag for part in _TAG_SEPARATORS.split(text) if (tag := trim(part))]
    if len(names) > MAX_TAGS:
        raise Refused(RowProblem.TOO_MANY_TAGS, most=MAX_TAGS)
    return [read_text(tag, 1, MAX_TAG, RowProblem.TAG_LENGTH) for tag in names]


def _merge(before: Values | None, record: Values) -> Values:
    """An empty cell changes nothing; tags are added. A name without a last name does not remove the last name."""
    given = {field: value for field, value in record.items() if value is not None}
    after = {**(before or {"type": CustomerType.INDIVIDUAL.value, "last_name": None}), **given}
    if before is None or "tags" in record:
        after["tags"] = {**((before or {}).get("tags") or {}), **record.get("tags", {})}
    name = " ".join(filter(None, [after["first_name"], after["last_name"]]))
    return {**after, "name_search": search_key(name)}


CUSTOMERS = ImportDefinition(
    fields=_FIELDS,
    needed=(("full_name", "first_name"),),
    parse=_parse,
    find=find_customers,
    merge=_merge,
    same_key={"phone": RowProblem.SAME_PHONE, "email": RowProblem.SAME_EMAIL},
    several=RowProblem.SEVERAL_CUSTOMERS,
    unknown=None,
    run="import_customers",
    undo="undo_imported_customers",
    counted="customers",
    words="tags",
)
