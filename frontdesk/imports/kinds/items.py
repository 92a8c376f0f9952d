"""Services and products from a table. They are recognized by their SKU, else by their type and name."""

import re
from decimal import Decimal

from frontdesk.catalog.entry_checks import names_search_key
from frontdesk.catalog.save_item import MAX_BUFFER, MAX_MINUTES, MAX_STOCK
from frontdesk.catalog.types import ItemType
from frontdesk.imports.cell_values import (
    Refused,
    optional_value,
    read_amount,
    read_count,
    read_text,
    read_yes_or_no,
    shorten,
)
from frontdesk.imports.fields import Field, names
from frontdesk.imports.kinds.kind import Cells, ImportDefinition
from frontdesk.imports.kinds.queries import find_items
from frontdesk.imports.options import merge_options, read_options
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import ImportSettings, Key, ParsedRow, Values
from frontdesk.values.text import search_key, trim

_MAX_NAME = 255
_MAX_CODE = 64
_FIELDS = (
    Field(
        "name",
        names(
            "item, item name, service, service name, product, product name, title, الاسم, اسم الخدمة, اسم المنتج, "
            "الخدمة, المنتج, الصنف, اسم الصنف"
        ),
    ),
    Field(
        "name_en",
        names("name english, english name, name en, الاسم بالإنجليزية, الاسم الإنجليزي, الاسم بالانجليزي"),
    ),
    Field("name_ar", names("name arabic, arabic name, name ar, الاسم بالعربية, الاسم العربي, الاسم بالعربي")),
    Field("type", names("item type, kind, النوع, نوع الصنف")),
    Field("category", names("category name, group, الفئة, القسم, التصنيف, المجموعة")),
    Field("sku", names("item code, code, product code, رمز المنتج, رمز الصنف, الرمز, كود, رقم الصنف")),
    Field("barcode", names("bar code, ean, gtin, upc, الباركود, باركود, رمز شريطي")),
    Field("price", names("selling price, unit price, amount, السعر, سعر البيع, سعر")),
    Field("offer_price", names("offer, sale price, discounted price, سعر العرض, السعر بعد الخصم")),
    Field(
        "duration",
        names("minutes, duration minutes, duration min, time, المدة, المدة بالدقائق, الدقائق, الوقت"),
    ),
    Field(
        "buffer_before",
        names(
            "get ready, get ready min, minutes before, buffer before minutes, preparation, وقت قبل, دقائق قبل, "
            "دقائق قبلها, وقت التحضير, فاصل قبل"
        ),
    ),
    Field(
        "buffer_after",
        names(
            "clean up, clean up min, minutes after, buffer after minutes, cleaning, وقت بعد, دقائق بعد, دقائق بعدها, "
            "وقت التنظيف, فاصل بعد"
        ),
    ),
    Field("tax_class", names("tax, vat, vat class, tax rate, الضريبة, فئة الضريبة, فئة ضريبية, ضريبة القيمة المضافة")),
    Field("cost", names("cost price, purchase price, التكلفة, سعر الشراء, سعر التكلفة")),
    Field("stock", names("quantity, qty, opening stock, on hand, الكمية, المخزون, الرصيد")),
    Field(
        "low_stock",
        names(
            "low at, low stock level, reorder level, minimum stock, warn at, حد التنبيه, الحد الأدنى, حد إعادة الطلب"
        ),
    ),
    Field("options", names("option, variants, choices, sizes, الخيارات, خيارات, المقاسات, الأحجام")),
    Field("base_sellable", names("sold without an option, without an option, يباع بلا خيار, بلا خيار, بدون خيار")),
    Field("description_en", names("description, description english, details, الوصف بالإنجليزية")),
    Field("description_ar", names("description arabic, الوصف, الوصف بالعربية, التفاصيل")),
    Field("status", names("active, enabled, الحالة, فعال, نشط")),
)
_TYPES = {
    "service": ItemType.SERVICE,
    "services": ItemType.SERVICE,
    "خدمة": ItemType.SERVICE,
    "product": ItemType.PRODUCT,
    "products": ItemType.PRODUCT,
    "منتج": ItemType.PRODUCT,
    "سلعة": ItemType.PRODUCT,
}
_AMOUNTS = (("price", RowProblem.WRONG_PRICE), ("offer_price", RowProblem.WRONG_OFFER), ("cost", RowProblem.WRONG_COST))
_COUNTS = (
    ("duration", 1, MAX_MINUTES, RowProblem.WRONG_DURATION),
    ("buffer_before", 0, MAX_BUFFER, RowProblem.WRONG_MINUTES_BEFORE),
    ("buffer_after", 0, MAX_BUFFER, RowProblem.WRONG_MINUTES_AFTER),
    ("stock", 0, MAX_STOCK, RowProblem.WRONG_STOCK),
    ("low_stock", 0, MAX_STOCK, RowProblem.WRONG_LOW_STOCK),
)
_TEXTS = (
    ("sku", _MAX_CODE, RowProblem.SKU_LENGTH),
    ("barcode", _MAX_CODE, RowProblem.BARCODE_LENGTH),
    ("category", _MAX_NAME, RowProblem.CATEGORY_LENGTH),
    ("tax_class", _MAX_NAME, RowProblem.TAX_CLASS_LENGTH),
)
_YES_OR_NO = (("status", RowProblem.WRONG_ACTIVE), ("base_sellable", RowProblem.WRONG_WITHOUT_OPTION))
_NO_WORD = re.compile(r"[^\w]+")


def _parse(number: int, cells: Cells, settings: ImportSettings) -> ParsedRow:
    name = cells.get("name") or cells.get("name_en") or cells.get("name_ar") or ""
    try:
        record = _record(cells, settings)
    except Refused as refused:
        return ParsedRow(number, name, cells.get("sku"), None, refused)
    if "sku" in record:
        keys = [Key("sku", record["sku"])]
    else:
        keys = [Key("name", f"{record['type']} {search_key(text)}") for text in record["name"].values()]
    return ParsedRow(number, name, record.get("sku"), record, None, tuple(dict.fromkeys(keys)))


def _record(cells: Cells, settings: ImportSettings) -> Values:
    record: Values = {"type": _type(cells).value, "name": _names(cells, settings)}
    if not record["name"]:
        raise Refused(RowProblem.NO_NAME, least=2)
    for field, otherwise in _AMOUNTS:
        if field in cells:
            with optional_value(field):
                record[field] = read_amount(cells[field], settings.currency_decimals, otherwise)
    for field, least, most, otherwise in _COUNTS:
        if field in cells:
            with optional_value(field):
                record[field] = read_count(cells[field], least, most, otherwise)
    for field, most, otherwise in _TEXTS:
        if field in cells:
            with optional_value(field):
                record[field] = read_text(cells[field], 1, most, otherwise)
    if "options" in cells:
        with optional_value("options"):
            record["options"] = read_options(cells["options"], record["type"], settings)
    for field, otherwise in _YES_OR_NO:
        if field in cells:
            with optional_value(field):
                record[field] = read_yes_or_no(cells[field], otherwise)
    record |= _descriptions(cells)
    _check_type(record)
    return record


def _descriptions(cells: Cells) -> Values:
    texts = {}
    for language in ("en", "ar"):
        field = f"description_{language}"
        if field in cells:
            with optional_value(field):
                texts[language] = read_text(cells[field], 1, 5000, RowProblem.DESCRIPTION_LENGTH)
    return {"description": texts} if texts else {}


def _type(cells: Cells) -> ItemType:
    """Without a column for it, something with a duration is a service."""
    text = cells.get("type", "").casefold().removeprefix("ال")  # with or without the Arabic article
    if not text:
        is_counted = "stock" in cells or "low_stock" in cells
        return ItemType.PRODUCT if is_counted and "duration" not in cells else ItemType.SERVICE
    if text not in _TYPES:
        raise Refused(RowProblem.WRONG_ITEM_TYPE, text=shorten(text))
    return _TYPES[text]


def _check_type(record: Values) -> None:
    if record["type"] == ItemType.PRODUCT and record.get("options") and record.get("stock"):
        raise Refused(RowProblem.STOCK_WITH_OPTIONS)
    if record["type"] == ItemType.SERVICE and {"stock", "low_stock", "cost"} & record.keys():
        raise Refused(RowProblem.SERVICE_WITH_STOCK)
    if record["type"] == ItemType.PRODUCT and "duration" in record:
        raise Refused(RowProblem.PRODUCT_WITH_DURATION)
    if record["type"] == ItemType.PRODUCT and (record.get("buffer_before") or record.get("buffer_after")):
        raise Refused(RowProblem.PRODUCT_WITH_MINUTES)


def _names(cells: Cells, settings: ImportSettings) -> dict[str, str]:
    given = {"en": cells.get("name_en"), "ar": cells.get("name_ar")}
    if "name" in cells:
        text = cells["name"]
        language = "ar" if any("\u0600" <= letter <= "\u06ff" for letter in text) else "en"
        language = language if language in settings.languages else settings.languages[0]
        given[language] = given.get(language) or text
    return {
        code: read_text(text, 2, _MAX_NAME, RowProblem.NAME_LENGTH)
        for code, text in given.items()
        if text and trim(text)
    }


def slug_of(name: str) -> str:
    return _NO_WORD.sub("-", search_key(name)).strip("-")[:80] or "item"


def _merge(before: Values | None, record: Values) -> Values:
    after = _new(record) if before is None else _changed(before, record)
    if after.get("offer_price") is not None and Decimal(after["offer_price"]) >= Decimal(after["price"]):
        raise Refused(RowProblem.OFFER_NOT_BELOW_PRICE)
    if before is not None and after["name"] == before["name"]:
        return after  # the order of its names in the key says nothing
    return {**after, "name_search": names_search_key(after["name"])}


def _new(record: Values) -> Values:
    after = {"status": True, "base_sellable": False, "stock": None, **record}
    if "options" in record:
        after["options"] = merge_options([], record["options"])
    if "price" not in after:
        raise Refused(RowProblem.NO_PRICE)
    if "duration" not in after and record["type"] == ItemType.SERVICE:
        raise Refused(RowProblem.NO_DURATION)
    return after


def _changed(before: Values, record: Values) -> Values:
    """The stock of a product that exists is left alone: it is imported as opening stock."""
    merged = ("type", "stock", "name", "description", "options")
    given = {field: value for field, value in record.items() if field not in merged}
    _check_type({**given, "type": before["type"]})
    after = {**before, **given, "name": {**before["name"], **record["name"]}}
    if "options" in record:
        if before["type"] == ItemType.PRODUCT and not before["options"]:
            raise Refused(RowProblem.OPTIONS_SHARE_STOCK)
        after["options"] = merge_options(before["options"], record["options"])
    if "description" in record:
        after["description"] = {**(before["description"] or {}), **record["description"]}
    return after


ITEMS = ImportDefinition(
    fields=_FIELDS,
    needed=(("name", "name_en", "name_ar"),),
    parse=_parse,
    find=find_items,
    merge=_merge,
    same_key={"sku": RowProblem.SAME_SKU, "name": RowProblem.SAME_NAME},
    several=RowProblem.SEVERAL_ITEMS,
    unknown=None,
    run="import_items",
    undo="undo_imported_items",
    counted="items",
    words="categories",
)
