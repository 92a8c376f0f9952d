"""What everyone who books or serves a customer must see: allergies and notes."""

import msgspec

_SHOWN = 4


class CareNote(msgspec.Struct, frozen=True):
    text: str
    is_warning: bool


# Of the customer `c`, warnings first.
CARE_NOTES = f"""(
    SELECT coalesce(json_agg(json_build_object('text', n.text, 'is_warning', n.is_warning)), '[]')
    FROM (SELECT * FROM customer_notes WHERE tenant_id = $1 AND customer_id = c.id
          ORDER BY is_warning DESC, created_at DESC LIMIT {_SHOWN}) n)"""
