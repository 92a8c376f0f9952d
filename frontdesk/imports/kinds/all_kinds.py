from collections.abc import Mapping

from frontdesk.imports.kinds.customers import CUSTOMERS
from frontdesk.imports.kinds.items import ITEMS
from frontdesk.imports.kinds.kind import ImportDefinition
from frontdesk.imports.kinds.staff import STAFF
from frontdesk.imports.kinds.stock import STOCK
from frontdesk.imports.types import ImportKind

KINDS: Mapping[ImportKind, ImportDefinition] = {
    ImportKind.CUSTOMERS: CUSTOMERS,
    ImportKind.ITEMS: ITEMS,
    ImportKind.STAFF: STAFF,
    ImportKind.STOCK: STOCK,
}
