"""Carries out the steps of a plan by calls of the API, each with an Idempotency-Key and the version that was read."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from frontdesk.developer_tools.set_up_file.business import Business, SetUpApi, present_record
from frontdesk.developer_tools.set_up_file.hours import OF_BRANCH, hours_request
from frontdesk.developer_tools.set_up_file.kind import Fields, Kind
from frontdesk.developer_tools.set_up_file.kinds import ITEMS, OPTION_FIELDS, STAFF
from frontdesk.developer_tools.set_up_file.matching import match_records
from frontdesk.developer_tools.set_up_file.plan import Plan, Step, differences, other_options, with_defaults
from frontdesk.developer_tools.set_up_file.records import Entry, Place, Present, Slot, Values
from frontdesk.errors import StartupError
from frontdesk_client import ApiError

_TOGETHER = ("phone", "phone_country")
_CONFLICT = "it was changed since it was read"
_DONE = {"create": "created", "change": "changed", "move": "moved", "retire": "retired"}


def carry_out(api: SetUpApi, plan: Plan, business: Business, *, retires: bool, tell: Callable[[str], None]) -> None:
    """Stops at the first refusal. Run again, the next plan holds what is left."""
    worker = _Worker(api, business, retires=retires)
    for number, step in enumerate(plan.steps):
        try:
            worker.carry_out(step)
        except ApiError as error:
            done = f"{number} of {len(plan.steps)} were done; run the command again and it continues"
            raise StartupError(f"{_refusal(step, worker.option, error)}\n{done}") from error
        tell(f"{_DONE[step.action]}  {step.kind.noun}  {step.key}")


class _Worker:
    def __init__(self, api: SetUpApi, business: Business, *, retires: bool) -> None:
        self._api, self._retires = api, retires
        self._slots = {record.slot.id: record.slot for records in business.values() for record in records}
        self.option: Entry | None = None  # that is being written

    def carry_out(self, step: Step) -> None:
        if step.action == "move" and step.entry is not None:
            before = None if step.before is None else step.before.id
            self._api.send("POST", f"{step.kind.path}/{{}}/move", step.entry.slot.id or "", {"before": before})
        elif step.entry is not None:
            self._change(step.kind, step.entry, step.present or self._create(step.kind, step.entry))
        elif step.present is not None:
            self._retire(step.kind, step.present)

    def _create(self, kind: Kind, entry: Entry) -> Present:
        """With what an operation that creates it takes."""
        body = _created(kind.fields, entry)
        if entry.options:
            body["options"] = [_created(OPTION_FIELDS, option) for option in entry.options]
        document = self._api.send("POST", kind.path, "", body)
        entry.slot.id = document["id"]
        self._slots[document["id"]] = entry.slot
        present = present_record(kind, document, self._find)
        if kind is STAFF:
            present.values["hours"] = OF_BRANCH
        present.slot = entry.slot
        match_records(None, entry.options, present.options)
        return present

    def _find(self, _kind: str, record_id: str) -> Slot:
        return self._slots[record_id]

    def _change(self, kind: Kind, entry: Entry, present: Present) -> None:
        changes = differences(kind.fields, entry, present)
        fields = {name: value for name, value in changes.items() if not kind.fields[name].by_itself}
        if fields:
            if any(name in fields for name in _TOGETHER):
                fields |= {name: {**present.values, **entry.values}.get(name) for name in _TOGETHER}
            body = _body(kind.fields, fields)
            self._send("PATCH", kind.path if kind.is_single else f"{kind.path}/{{}}", present, body)
        if "hours" in changes:
            version = {} if present.hours_version is None else {"version": present.hours_version}
            body = {**hours_request(changes["hours"]), **version}
            self._api.send("PUT", f"{kind.path}/{{}}/working-hours", present.slot.id or "", body)
        self._change_options(entry, present)

    def _change_options(self, entry: Entry, item: Present) -> None:
        for option in entry.options:
            self.option = option
            if option.present is None:
                document = self._api.send(
                    "POST", f"{ITEMS.path}/{{}}/options", item.slot.id or "", _created(OPTION_FIELDS, option)
                )
                item.version = document["version"]
            elif changes := differences(OPTION_FIELDS, option, option.present):
                self._write_option(item, option.present, _body(OPTION_FIELDS, changes))
        self.option = None
        if self._retires and "options" in entry.places:
            for other in other_options(entry, item):
                self._write_option(item, other, {"is_active": False})

    def _write_option(self, item: Present, option: Present, body: Mapping[str, Any]) -> None:
        sent = {**body, "version": item.version}
        item.version = self._api.send("PATCH", "/item-options/{}", option.slot.id or "", sent)["version"]

    def _retire(self, kind: Kind, present: Present) -> None:
        if kind.status:
            self._send("PATCH", f"{kind.path}/{{}}", present, {kind.status: False})
        else:
            self._api.send("DELETE", f"{kind.path}/{{}}", present.slot.id or "", {})

    def _send(self, method: str, template: str, present: Present, body: Mapping[str, Any]) -> None:
        version = {} if present.version is None else {"version": present.version}
        document = self._api.send(method, template, present.slot.id or "", {**body, **version})
        present.version = document.get("version")


def _created(fields: Fields, entry: Entry) -> Values:
    taken = {
        name: value
        for name, value in with_defaults(fields, entry.values).items()
        if value is not None and not fields[name].only_changed and not fields[name].by_itself
    }
    return {fields[name].sent_as or name: fields[name].type.created_body(value) for name, value in taken.items()}


def _body(fields: Fields, values: Values) -> Values:
    body: Values = {}
    for name, value in values.items():
        *parents, last = (fields[name].sent_as or name).split(".")
        sent = None if value is None else fields[name].type.body(value)
        _put_together(body, reduce(lambda inner, parent: {parent: inner}, reversed(parents), {last: sent}))
    return body


def _put_together(body: Values, more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(body.get(name), dict):
            _put_together(body[name], value)
        else:
            body[name] = value


def _refusal(step: Step, option: Entry | None, error: ApiError) -> str:
    """With the line of the file that it is about."""
    if error.code == "version_conflict":
        message = _CONFLICT
    elif error.errors:
        field, messages = next(iter(error.errors.items()))
        return f"{_place(step, option, field.split('.'))}: {messages[0]}"
    else:
        message = error.message
    place = f"{step.kind.noun} {step.key}" if step.entry is None else _place(step, option, [])
    return f"{place}: {message}"


def _place(step: Step, option: Entry | None, field: Sequence[str]) -> Place | str:
    entry = option or step.entry
    if entry is None:
        return f"{step.kind.noun} {step.key}"
    if len(field) > 1 and field[0] == "options" and field[1].isdecimal() and int(field[1]) < len(entry.options):
        entry, field = entry.options[int(field[1])], field[2:]
    sent = {"intervals": "hours", **{of.sent_as: name for name, of in step.kind.fields.items() if of.sent_as}}
    return entry.place_of(sent.get(field[0], field[0])) if field else entry.place
