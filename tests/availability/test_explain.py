"""A start is offered exactly if nothing speaks against it: for each provider, and for anyone."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from uuid import UUID

from hypothesis import given, settings

from frontdesk.availability.explain import explain_start
from frontdesk.availability.find_slots import AvailabilityQuery, find_slots
from frontdesk.availability.free_starts import free_starts
from frontdesk.availability.types import Service
from frontdesk.values.time import get_zone, to_local
from tests.availability.explained_cases import ExplainedCase, explained_cases
from tests.support.repetitions import repetitions


def offered(case: ExplainedCase, staff_id: UUID | None = None) -> set[datetime]:
    """Of the real computation, by local time; of one provider of the first service, or of all of them."""
    first, *others = case.services
    if staff_id is not None:
        first = first._replace(candidates={staff_id: first.candidates[staff_id]})
    notice = case.limits.notice if case.limits else timedelta()
    if case.limits and case.day > case.limits.last_day:
        return set()
    found = free_starts(case.tenant, [first, *others], case.schedules, case.day, case.now + notice)
    zone = get_zone(case.tenant.timezone)
    return {to_local(start.assigned[0].start, zone) for start in found}


def asked(case: ExplainedCase, starts: set[datetime]) -> Iterator[datetime]:
    """All that is offered, the minutes beside it, and others of the day."""
    midnight = datetime.combine(case.day, time())
    minutes = {(start - midnight) // timedelta(minutes=1) for start in starts}
    beside = {minute + step for minute in minutes for step in (-5, 1, case.tenant.grid_minutes)}
    for minute in sorted(minutes | beside | set(range(0, 1440, 25))):
        if 0 <= minute < 1440:
            yield midnight + timedelta(minutes=minute)


@settings(max_examples=repetitions(40, long=2000), deadline=None)
@given(explained_cases())
def test_a_start_is_offered_exactly_if_there_are_no_reasons(case: ExplainedCase) -> None:
    candidates = case.services[0].candidates
    by_staff = {staff_id: offered(case, staff_id) for staff_id in candidates}
    anyone = offered(case)
    assert anyone == set().union(*by_staff.values())
    for start in asked(case, anyone):
        why = explain_start(
            case.tenant, case.services, case.schedules, start, case.now, facts=case.facts, limits=case.limits
        )
        assert {one.staff_id for one in why.providers if one.staff_id in candidates} == candidates.keys()
        for provider in why.providers:
            is_offered = start in by_staff.get(provider.staff_id, ())
            assert (not provider.problems) == is_offered, (start, provider)
        assert why.is_offered == (start in anyone)
        if why.is_offered:
            continue
        for other in why.nearest:
            assert case.limits is None or other.start.date() <= case.limits.last_day
            assert other.start.date() != case.day or other.start in anyone


@settings(max_examples=repetitions(20, long=1000), deadline=None)
@given(explained_cases(most_services=1))
def test_it_agrees_with_the_search_of_the_api(case: ExplainedCase) -> None:
    (service,) = case.services
    zone = get_zone(case.tenant.timezone)
    providers = [
        case.schedules[staff_id]._replace(staff_duration=minutes)
        for staff_id, minutes in service.candidates.items()
        if staff_id in case.schedules
    ]
    found = Service(60, service.buffer_before, service.buffer_after, True, case.tenant.grid_minutes, providers, True)
    question = AvailabilityQuery(UUID(int=0), None, case.day, 1, 1, search_on=False, explain=False)
    slots = set(find_slots(zone, question, found, case.now).slots[str(case.day)])
    for start in asked(case, {datetime.combine(case.day, time.fromisoformat(text)) for text in slots}):
        why = explain_start(case.tenant, case.services, case.schedules, start, case.now, facts=case.facts)
        assert why.is_offered == (f"{start:%H:%M}" in slots), start
