"""The stock of products that exist, from a table. They are recognized by their SKU, else by their name."""

from frontdesk.catalog.save_item import MAX_STOCK
from frontdesk.imports.cell_values import Refused, read_count
from frontdesk.imports.fields import Field, names
from frontdesk.imports.kinds.kind import Cells, ImportDefinition
from frontdesk.imports.kinds.queries import find_stock
from frontdesk.imports.problems import RowProblem
from frontdesk.imports.types import ImportSettings, Key, ParsedRow, Values
from frontdesk.values.text import search_key

_FIELDS = (
    Field("sku", names("item code, code, product code, رمز المنتج, رمز الصنف, الرمز, كود, رقم الصنف")),
    Field(
        "name",
        names("item, item name, product, product name, الاسم, اسم المنتج, المنتج, الصنف, اسم الصنف"),
    ),
    Field("stock", names("quantity, qty, opening stock, on hand, count, الكمية, المخزون, الرصيد, العدد")),
)


def _parse(number: int, cells: Cells, _settings: ImportSettings) -> ParsedRow:
    name = cells.get("name", "")
    try:
        record = _record(cells)
    except Refused as refused:
        return ParsedRow(number, name, cells.get("sku"), None, refused)
    key = Key("sku", cells["sku"]) if "sku" in cells else Key("name", search_key(name))
    return ParsedRow(number, name or cells["sku"], cells.get("sku"), record, None, (key,))


def _record(cells: Cells) -> Values:
    if "sku" not in cells and "name" not in cells:
        raise Refused(RowProblem.NO_SKU_AND_NAME)
    if "stock" not in cells:
        raise Refused(RowProblem.NO_QUANTITY)
    return {"stock": read_count(cells["stock"], 0, MAX_STOCK, RowProblem.WRONG_QUANTITY)}


def _merge(before: Values | None, record: Values) -> Values:
    if before is not None and before.get("has_option_stock"):
        raise Refused(RowProblem.OPTIONS_HAVE_STOCK)
    return {**(before or {}), **record}


STOCK = ImportDefinition(
    fields=_FIELDS,
    needed=(("sku", "name"), ("stock",)),
    parse=_parse,
    find=find_stock,
    merge=_merge,
    same_key={"sku": RowProblem.SAME_SKU, "name": RowProblem.SAME_NAME},
    several=RowProblem.SEVERAL_PRODUCTS,
    unknown=RowProblem.NO_SUCH_PRODUCT,
    run="import_stock",
    undo="undo_imported_stock",
    counted=None,
)
