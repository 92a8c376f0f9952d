"""A name server on a loopback port, for what is asked of the DNS."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dnslib import QTYPE, RCODE, RR, DNSError
from dnslib.server import DNSLogger, DNSServer

_ZONE = """
. 60 IN NS a.root-servers.net.
mail.corp.com. 60 IN MX 10 mx.corp.com.
a-only.corp.com. 60 IN A 192.0.2.1
aaaa-only.corp.com. 60 IN AAAA 2001:db8::1
null-mx.corp.com. 60 IN MX 0 .
null-mx.corp.com. 60 IN A 192.0.2.1
alias.corp.com. 60 IN CNAME mail.corp.com.
xn--mnchen-3ya.corp.com. 60 IN MX 10 mx.corp.com.
half.corp.com. 60 IN AAAA 2001:db8::1
"""


class Zone:
    """Answers from _ZONE and counts what it was asked; names with a fault answer with that."""

    def __init__(self, everything: str | None = None) -> None:
        self.everything = everything
        self.faults = {
            "empty.corp.com.": "NOERROR",
            "broken.corp.com.": "SERVFAIL",
            "refused.corp.com.": "REFUSED",
            "silent.corp.com.": "SILENCE",
            "half.corp.com. A": "SERVFAIL",
            "half-empty.corp.com.": "NOERROR",
            "half-empty.corp.com. A": "SERVFAIL",
        }
        self.queries: Counter[str] = Counter()
        self.records = RR.fromZone(_ZONE)

    def resolve(self, request: Any, _handler: Any) -> Any:
        name, kind = str(request.q.qname), QTYPE[request.q.qtype]
        self.queries[f"{name} {kind}"] += 1
        found = [rr for rr in self.records if str(rr.rname) == name]
        fault = self.everything or self.faults.get(f"{name} {kind}") or self.faults.get(name)
        rcode = fault or ("NOERROR" if found else "NXDOMAIN")
        if rcode == "SILENCE":
            raise DNSError("not answered")
        reply = request.reply()
        reply.header.rcode = getattr(RCODE, rcode)
        if fault is None:
            reply.add_answer(*self._answers(found, kind))
        return reply

    def _answers(self, found: list[Any], kind: str) -> list[Any]:
        aliased = [str(rr.rdata.label) for rr in found if QTYPE[rr.rtype] == "CNAME"]
        reached = found + [rr for rr in self.records if str(rr.rname) in aliased]
        return [rr for rr in reached if QTYPE[rr.rtype] in {kind, "CNAME"}]


@contextmanager
def running_name_server(zone: Zone) -> Iterator[str]:
    server = DNSServer(zone, address="127.0.0.1", port=0, logger=DNSLogger("", logf=lambda _: None))
    server.start_thread()
    try:
        yield f"127.0.0.1:{server.server.server_address[1]}"
    finally:
        server.stop()
        server.server.server_close()
