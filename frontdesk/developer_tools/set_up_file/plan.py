"""What is to be done so that a business matches a file."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from frontdesk.developer_tools.set_up_file.business import Business
from frontdesk.developer_tools.set_up_file.field_types import Field
from frontdesk.developer_tools.set_up_file.kind import Fields, Kind
from frontdesk.developer_tools.set_up_file.kinds import ITEMS, KINDS, OPTION_FIELDS
from frontdesk.developer_tools.set_up_file.matching import match
from frontdesk.developer_tools.set_up_file.order import moves
from frontdesk.developer_tools.set_up_file.reading import SetUpFile
from frontdesk.developer_tools.set_up_file.records import Entry, Present, Slot, Values

Action = Literal["create", "change", "move", "retire"]


class Step(NamedTuple):
    action: Action
    kind: Kind
    key: str
    entry: Entry | None  # of the file; None for a record that is retired
    present: Present | None
    changes: tuple[str, ...] = ()  # as the plan shows them
    before: Slot | None = None  # of a record that is moved; None for the end


class Plan(NamedTuple):
    steps: list[Step]
    unchanged: int  # records of the file


def make_plan(file: SetUpFile, business: Business, *, retires: bool) -> Plan:
    """Raises FileRefused if a name of the file means nothing."""
    match(file, business)
    steps: list[Step] = []
    for kind in KINDS:
        entries = file.get(kind.section, [])
        steps += [step for entry in _in_order(entries) for step in _steps(kind, entry, retires)]
        if kind.order is not None:
            for entry, before in moves(kind.order, entries, business[kind.section]):
                place = "to the end" if before is None else f"before {before.key}"
                steps.append(Step("move", kind, entry.key, entry, None, (place,), before))
    unchanged = sum(map(len, file.values())) - sum(step.action != "move" for step in steps)
    if retires:
        for kind in reversed([kind for kind in KINDS if kind.section in file]):
            kept = {id(entry.present) for entry in file[kind.section]}
            others = [record for record in business[kind.section] if id(record) not in kept and is_in_use(kind, record)]
            steps += [Step("retire", kind, record.slot.key, None, record) for record in others]
    return Plan(steps, unchanged)


def _in_order(entries: list[Entry]) -> list[Entry]:
    """A new default changes the one before, so it comes last."""
    return sorted(entries, key=lambda entry: entry.values.get("is_default") is True)


def is_in_use(kind: Kind, record: Present) -> bool:
    """A default cannot be deleted; what is retired already stays so. Settings cannot be retired."""
    if kind.is_single:
        return False
    return bool(record.values[kind.status] if kind.status else not record.values["is_default"])


def _steps(kind: Kind, entry: Entry, retires: bool) -> Iterator[Step]:
    if entry.present is None:
        yield Step("create", kind, entry.key, entry, None)
    elif changes := tuple(_changes(kind, entry, entry.present, retires)):
        yield Step("change", kind, entry.key, entry, entry.present, changes)


def _changes(kind: Kind, entry: Entry, present: Present, retires: bool) -> Iterator[str]:
    yield from _lines(kind.fields, entry, present)
    for option in entry.options:
        if option.present is None:
            yield f"new option {option.key}"
        else:
            yield from (f"option {option.key}: {line}" for line in _lines(OPTION_FIELDS, option, option.present))
    if retires and kind is ITEMS and "options" in entry.places:
        yield from (f"option {option.slot.key}: off sale" for option in other_options(entry, present))


def _lines(fields: Fields, entry: Entry, present: Present) -> Iterator[str]:
    for name, value in differences(fields, entry, present).items():
        before = present.values.get(name)
        yield f"{name} {_shown(fields[name], before)} → {_shown(fields[name], value)}"


def _shown(field: Field, value: object) -> str:
    return "none" if value is None else field.type.show(value)


def differences(fields: Fields, entry: Entry, present: Present) -> Values:
    """The fields of the file that the record has otherwise."""
    return {
        name: value
        for name, value in with_defaults(fields, entry.values).items()
        if not fields[name].only_created and not fields[name].type.same(value, present.values.get(name))
    }


def with_defaults(fields: Fields, values: Values) -> Values:
    absent = {name: field.default for name, field in fields.items() if field.counts_if_absent and name not in values}
    return {**values, **absent}


def other_options(entry: Entry, present: Present) -> list[Present]:
    """Those on sale that the file does not have."""
    kept = {id(option.present) for option in entry.options}
    return [option for option in present.options if id(option) not in kept and option.values["is_active"]]


def summary(plan: Plan) -> str:
    if not plan.steps:
        return f"nothing to do: {plan.unchanged} records are as the file says"
    numbers = {action: sum(step.action == action for step in plan.steps) for action in get_args(Action)}
    found = [f"{number} to {action}" for action, number in numbers.items() if number]
    return ", ".join([*found, f"{plan.unchanged} as the file says"])
