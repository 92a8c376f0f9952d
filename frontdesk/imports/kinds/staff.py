"""Staff from a table. They are recognized by their phone number, else by their e-mail address, else by their name."""

import re

from frontdesk.imports.cell_values import Refused, optional_value, read_email, read_phone, read_text, read_yes_or_no
from frontdesk.imports.fields import Field, names
from frontdesk.imports.kinds.kind import Cells, ImportDefinition
from frontdesk.imports.kinds.queries import find_staff
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import ImportSettings, Key, ParsedRow, Values
from frontdesk.imports.week import DAYS, read_week, shown_week
from frontdesk.values.phones import digits_of
from frontdesk.values.text import search_key, trim

_MAX_NAME = 200
_SEPARATORS = re.compile(r"[,،;؛|\n]")
_FIELDS = (
    Field(
        "name",
        names(
            "full name, staff, staff name, employee, employee name, provider, الاسم, اسم الموظف, الموظف, الموظفة, "
            "اسم الموظفة, مقدم الخدمة"
        ),
    ),
    Field(
        "phone",
        names(
            "mobile, phone, mobile number, phone number, telephone, جوال, الجوال, رقم الجوال, هاتف, الهاتف, رقم الهاتف"
        ),
    ),
    Field("email", names("e mail, mail, email address, البريد, البريد الإلكتروني, الايميل, ايميل")),
    Field("services", names("service, performs, services performed, الخدمات, خدمات, الخدمة, يقدم, تقدم")),
    Field("active", names("status, enabled, الحالة, فعال, نشط")),
    *DAYS,
)


def _parse(number: int, cells: Cells, settings: ImportSettings) -> ParsedRow:
    name = cells.get("name", "")
    try:
        record = _record(cells, settings)
    except Refused as refused:
        return ParsedRow(number, name, cells.get("phone"), None, refused)
    return ParsedRow(number, name, record.get("phone"), record, None, (_key(record),))


def _record(cells: Cells, settings: ImportSettings) -> Values:
    if "name" not in cells:
        raise Refused(RowProblem.NO_NAME, least=2)
    record: Values = {"name": read_text(cells["name"], 2, _MAX_NAME, RowProblem.NAME_LENGTH)}
    if "phone" in cells:
        with optional_value("phone"):
            record |= {"phone": read_phone(cells["phone"], settings.country), "phone_country": settings.country}
    if "email" in cells:
        with optional_value("email"):
            record["email"] = read_email(cells["email"])
    if "services" in cells:
        record["services"] = [name for part in _SEPARATORS.split(cells["services"]) if (name := trim(part))]
    if "active" in cells:
        with optional_value("active"):
            record["active"] = read_yes_or_no(cells["active"], RowProblem.WRONG_ACTIVE)
    hours = read_week(cells)
    return record if hours is None else {**record, "hours": hours, **shown_week(hours)}


def _key(record: Values) -> Key:
    if "phone" in record:
        return Key("phone", digits_of(record["phone"]))
    return Key("email", record["email"].lower()) if "email" in record else Key("name", search_key(record["name"]))


def _merge(before: Values | None, record: Values) -> Values:
    """Services are added; those that the provider performs already stay, with their own prices."""
    after = {**(before or {"active": True, "services": {}}), **record}
    if before is not None and "services" in record:
        after["services"] = {**before["services"], **record["services"]}
    return {**after, "name_search": search_key(after["name"])}


STAFF = ImportDefinition(
    fields=_FIELDS,
    needed=(("name",),),
    parse=_parse,
    find=find_staff,
    merge=_merge,
    same_key={
        "phone": RowProblem.SAME_PHONE,
        "email": RowProblem.SAME_EMAIL,
        "name": RowProblem.SAME_NAME,
    },
    several=RowProblem.SEVERAL_STAFF,
    unknown=None,
    run="import_staff",
    undo="undo_imported_staff",
    counted=None,
)
