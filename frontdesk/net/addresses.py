"""Network addresses of clients."""

import ipaddress

_IPV6_PREFIX = 64  # the usual prefix of one household


def address_prefix(address: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 address, because a host can use all addresses of it."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
