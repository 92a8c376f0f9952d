"""Reads when the events of an iCalendar file make a person busy. Everything is bounded: files come from anywhere."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from frontdesk.icalendar.components import BusyPeriod, ExternalEvent, instant_of, read_components, zone_of
from frontdesk.icalendar.reading import CalendarTooLarge, Period
from frontdesk.icalendar.repetition import TooManyRepetitions, repeated_starts
from frontdesk.values.time import local_day_start

MAX_BUSY_TIMES = 5_000
_MINUTE, _DAY = timedelta(minutes=1), timedelta(days=1)
_LONGEST = timedelta(days=400)


def read_busy_times(content: bytes, zone: ZoneInfo, between: Period) -> list[Period]:
    """In order, joined where they overlap or touch, in whole minutes, cut to `between`.

    `zone` is for days and for times without a zone. Canceled and transparent events take no time.
    """
    try:
        return _joined(_cut(_busy_times(content, zone, between), between))
    except TooManyRepetitions as error:
        raise CalendarTooLarge from error


def _busy_times(content: bytes, zone: ZoneInfo, between: Period) -> Iterator[Period]:
    events: dict[str, list[ExternalEvent]] = {}
    for component in read_components(content):
        if isinstance(component, BusyPeriod):
            start, end = instant_of(component.start, zone), component.end
            yield Period(start, start + end if isinstance(end, timedelta) else instant_of(end, zone))
        else:
            events.setdefault(component.uid, []).append(component)
    for same in events.values():
        yield from _events(same, zone, between)


def _events(same: Sequence[ExternalEvent], zone: ZoneInfo, between: Period) -> Iterator[Period]:
    """All versions of an event: the repeated one, and single repetitions that were changed."""
    changed = {instant_of(event.replaces, zone) for event in same if event.replaces is not None}
    for event in same:
        length = _length(event, zone)
        if not event.takes_time or length <= timedelta():
            continue
        if event.replaces is not None:
            yield _period(event, instant_of(event.start, zone), length, zone)
        else:
            starts = _starts(event, length, zone, between)
            yield from (_period(event, at, length, zone) for at in starts - changed)


def _starts(event: ExternalEvent, length: timedelta, zone: ZoneInfo, between: Period) -> set[datetime]:
    """The instants at which a single or repeated event begins."""
    event_zone = zone_of(event.start, zone)
    if isinstance(event.start, datetime):
        begins = _local(instant_of(event.start, zone), event_zone)
    else:
        begins = datetime.combine(event.start, time())
    first, last = _local(between.start - length - _DAY, event_zone), _local(between.end + _DAY, event_zone)
    found = {begins}
    for rule in event.rules:
        found.update(repeated_starts(rule, begins, first, last, event_zone))
    days_left_out = {day for day in event.left_out if not isinstance(day, datetime)}
    starts = {_from_local(at, event.start, event_zone, zone) for at in found if at.date() not in days_left_out}
    starts.update(instant_of(added, zone) for added in event.added)
    return starts - {instant_of(left_out, zone) for left_out in event.left_out}


def _from_local(local: datetime, like: date, event_zone: tzinfo, zone: ZoneInfo) -> datetime:
    if isinstance(like, datetime):
        return local.replace(tzinfo=event_zone, fold=0).astimezone(UTC)
    return local_day_start(local.date(), zone)


def _length(event: ExternalEvent, zone: ZoneInfo) -> timedelta:
    """An event without an end takes its day, or no time if it begins at a time of day."""
    is_day = not isinstance(event.start, datetime)
    if event.end is not None:
        if is_day and not isinstance(event.end, datetime):
            return min(event.end - event.start, _LONGEST)
        return min(instant_of(event.end, zone) - instant_of(event.start, zone), _LONGEST)
    if event.duration is not None:
        return min(event.duration, _LONGEST)
    return _DAY if is_day else timedelta()


def _period(event: ExternalEvent, at: datetime, length: timedelta, zone: ZoneInfo) -> Period:
    """Days end at midnight, also if the clocks change."""
    if isinstance(event.start, datetime) or length % _DAY:
        return Period(at, at + length)
    return Period(at, local_day_start(_local(at, zone).date() + length, zone))


def _local(instant: datetime, zone: tzinfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def _cut(periods: Iterable[Period], between: Period) -> Iterator[Period]:
    for start, end in periods:
        first = max(start.replace(second=0, microsecond=0), between.start)
        last = min((end + _MINUTE - timedelta(microseconds=1)).replace(second=0, microsecond=0), between.end)
        if first < last:
            yield Period(first, last)


def _joined(periods: Iterable[Period]) -> list[Period]:
    joined: list[Period] = []
    for period in sorted(periods):
        if joined and period.start <= joined[-1].end:
            joined[-1] = Period(joined[-1].start, max(joined[-1].end, period.end))
        else:
            joined.append(period)
            if len(joined) > MAX_BUSY_TIMES:
                raise CalendarTooLarge
    return joined
