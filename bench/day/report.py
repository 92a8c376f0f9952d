"""What a simulated day prints."""

from bench.day.simulate import Day


def report_lines(day: Day) -> list[str]:
    return [*_summary(day), "", *_request_lines(day), "", *_program_lines(day), "", *_table_lines(day)]


def _summary(day: Day) -> list[str]:
    requests = sum(times.requests for times in day.requests.values())
    size = f"{day.businesses:,} businesses, {day.orders_each} orders each, {day.speed:g} times as fast"
    verdict = "holds" if day.holds else "DOES NOT HOLD"
    failed = sum(day.failures.values())
    return [
        f"{size}: {day.orders:,} orders and {requests:,} requests in {day.seconds:.0f} s",
        f"{verdict}: {failed} failed, {day.not_sent} not sent, latest {day.latest_seconds:.1f} s",
        *(f"  failed: {name}: {count}" for name, count in day.failures.items()),
    ]


def _request_lines(day: Day) -> list[str]:
    return [
        f"{'request':<28}{'count':>9}{'p50 ms':>9}{'p99 ms':>9}",
        *(f"{name:<28}{at.requests:>9,}{at.p50:>9.1f}{at.p99:>9.1f}" for name, at in day.requests.items()),
    ]


def _program_lines(day: Day) -> list[str]:
    ages = ", ".join(f"{name} {age:.1f} s" for name, age in day.queue_seconds.items())
    sent = f"{day.arrived.webhooks:,} webhooks and {day.arrived.mails:,} mails"
    return [
        f"{'program':<28}{'CPU s':>9}{'ms/order':>9}{'MB':>9}",
        *(
            f"{name:<28}{seconds:>9.1f}{seconds / day.orders * 1000:>9.2f}{day.memory_bytes[name] / 1e6:>9.0f}"
            for name, seconds in day.cpu_seconds.items()
        ),
        f"connections to the database: {day.connections}",
        f"{sent} arrived; the oldest waited: {ages}; all sent {day.drained_seconds:.1f} s after the end",
    ]


def _table_lines(day: Day) -> list[str]:
    largest = sorted(day.tables.items(), key=lambda named: -named[1].table - named[1].indexes)
    return [
        f"{'added, bytes an order':<28}{'rows':>9}{'table':>9}{'indexes':>9}",
        *(
            f"{name:<28}{size.rows / day.orders:>9.2f}{size.table / day.orders:>9.0f}{size.indexes / day.orders:>9.0f}"
            for name, size in largest
        ),
        f"{'write-ahead log':<28}{'':>9}{day.log_bytes / day.orders:>9.0f}",
    ]
