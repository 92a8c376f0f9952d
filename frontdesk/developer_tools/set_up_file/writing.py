"""Writes a business as a file. The same business gives the same file."""

from collections.abc import Iterator
from decimal import Decimal

import yaml

from frontdesk.developer_tools.set_up_file.business import Business
from frontdesk.developer_tools.set_up_file.field_types import Flow, Plain
from frontdesk.developer_tools.set_up_file.kind import Fields
from frontdesk.developer_tools.set_up_file.kinds import KINDS, OPTION_FIELDS, STAFF
from frontdesk.developer_tools.set_up_file.records import Present, name_of

_HEAD = "# The set-up of a business. `frontdesk apply FILE` makes a business match it.\n"
_TAG = "tag:yaml.org,2002:"


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]
    def ignore_aliases(self, data: object) -> bool:
        """A value that occurs twice is written twice."""
        return True


def _number(dumper: yaml.SafeDumper, value: Decimal) -> yaml.Node:
    text = f"{value:f}"
    return dumper.represent_scalar(_TAG + ("float" if "." in text else "int"), text)


def _in_one_line(dumper: yaml.SafeDumper, value: Flow) -> yaml.Node:
    return dumper.represent_mapping(f"{_TAG}map", value, flow_style=True)


def _date(dumper: yaml.SafeDumper, value: Plain) -> yaml.Node:
    return dumper.represent_scalar(f"{_TAG}timestamp", value)


_Dumper.add_representer(Decimal, _number)
_Dumper.add_representer(Flow, _in_one_line)
_Dumper.add_representer(Plain, _date)


def file_of(business: Business) -> str:
    return "\n".join([_HEAD, *_sections(business)])


def _sections(business: Business) -> Iterator[str]:
    for kind in KINDS:
        if kind.is_single:
            (record,) = business[kind.section]
            yield _yaml({kind.section: _all_of(kind.fields, record)})
            continue
        records = [record for record in business[kind.section] if kind is not STAFF or record.values["status"]]
        written = [_written(kind.fields, record) for record in records]
        if written:
            yield _yaml({kind.section: written})


def _yaml(section: dict[str, object]) -> str:
    return str(yaml.dump(section, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def _all_of(fields: Fields, record: Present) -> dict[str, object]:
    """With what is empty: the business that it is applied to may have something there."""
    return {
        name: None if record.values[name] is None else field.type.dump(record.values[name])
        for name, field in fields.items()
    }


def _written(fields: Fields, record: Present) -> dict[str, object]:
    """Without what a new record has anyway."""
    written: dict[str, object] = {}
    if record.slot.key != name_of(record.values):
        written["key"] = record.slot.key
    for name, field in fields.items():
        value = record.values.get(name)
        if value not in (None, field.default, []):
            written[name] = field.type.dump(value)
    if record.options:
        written["options"] = [_written(OPTION_FIELDS, option) for option in record.options]
    return written
