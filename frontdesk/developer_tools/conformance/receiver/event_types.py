"""Each type of event once. A receiver gets only those that it subscribes to, but others must not break it."""

from collections.abc import Mapping

from frontdesk.developer_tools.conformance.receiver.receiver import Receiver
from frontdesk.developer_tools.conformance.scenarios import Check, Failed, Group, Scenarios
from frontdesk.webhooks.event_types import EventType

scenarios = Scenarios(Group.RECEIVER, "webhooks#events")
# What the types are about, and how that is called.
SUBJECTS: Mapping[tuple[str, ...], str] = {
    ("order",): "orders",
    ("transaction",): "transactions",
    ("customer",): "customers",
    ("item",): "items",
    ("category",): "categories",
    ("package",): "packages",
    ("staff",): "staff",
    ("working_hours", "hour_exception"): "hours",
    ("time_off", "closed_days"): "days off",
    ("branch", "settings", "booking_page", "drawer_settings", "message_settings"): "branches and settings",
    ("payment_method",): "payment methods",
    ("tax_class",): "tax classes",
    ("message",): "messages",
    ("app",): "the application itself",
    ("webhook",): "the webhook itself",
}


def types_of(subjects: tuple[str, ...]) -> list[EventType]:
    return [kind for kind in EventType if kind.partition(".")[0] in subjects]


def _sends(kinds: list[EventType]) -> Check:
    async def check(receiver: Receiver) -> None:
        for kind in kinds:
            reply = await receiver.send(receiver.events.make(kind))
            if not reply.is_accepted:
                raise Failed(f"answered {reply} to {kind}")

    return check


for _subjects, _name in SUBJECTS.items():
    scenarios.add(
        f"events-{_subjects[0].replace('_', '-')}",
        f"Each type of event about {_name}",
        expected="2xx to each",
        advice="Accept every type, and act on those that you need.",
    )(_sends(types_of(_subjects)))
