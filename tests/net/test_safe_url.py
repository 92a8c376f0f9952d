"""Which URLs the service sends requests to."""

from ipaddress import ip_address

import pytest

from frontdesk.net.safe_url import HostNotFound, UrlRejected, find_addresses, is_public_address, parse_url, validate_url

PRIVATE = [
    "http://127.0.0.1/",
    "http://127.9.9.9/",
    "http://localhost/",
    "http://LOCALHOST:8000/",
    "http://localhost./",
    "http://printer.local/",
    "http://db.internal/",
    "http://[::1]/",
    "http://[::]/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://192.0.0.8/",
    "http://192.0.2.1/",
    "http://192.88.99.1/",
    "http://198.18.0.1/",
    "http://203.0.113.9/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[2001:db8::1]/",
    "http://[fec0::1]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fd00::1]/",
    "http://１２７.0.0.1/",
]
UNREADABLE = [
    "",
    "example.com/hook",
    "//example.com/hook",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "http://",
    "http:///path",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://@example.com/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://1.2.3.4.5/",
    "http://example.com:0/",
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:65536/",
    "http://example.com:port/",
    "http://exa mple.com/",
    "http://example.com/a b",
    "http://example.com\\@127.0.0.1/",
    "http://example.com/\r\nx-header: y",
    "http://example.com/\x00",
    "http://example.com/é",
    "http://example.com/#part",
    "http://-example.com/",
    "http://exa$mple.com/",
    "http://[::1",
    "http://[nothing]/",
    "http://xn--\u0661.com/",
    f"http://example.com/{'a' * 2000}",
]
GOOD = {
    "https://example.com": ("https", "example.com", 443, "/", "example.com"),
    "HTTPS://Example.COM:443/Hook?a=b&c": ("https", "example.com", 443, "/Hook?a=b&c", "example.com"),
    "http://example.com:8080/": ("http", "example.com", 8080, "/", "example.com:8080"),
    "http://münchen.example/": ("http", "xn--mnchen-3ya.example", 80, "/", "xn--mnchen-3ya.example"),
    "https://8.8.8.8/": ("https", "8.8.8.8", 443, "/", "8.8.8.8"),
    "https://[2606:4700:0:0::1111]:8443/": ("https", "2606:4700::1111", 8443, "/", "[2606:4700::1111]:8443"),
}


async def nothing(_host: str) -> list[str]:
    raise HostNotFound("the name does not exist")


@pytest.mark.parametrize("url", PRIVATE)
async def test_a_private_address_is_refused_however_it_is_written(url: str) -> None:
    with pytest.raises(UrlRejected, match="PRIVATE_HOST"):
        await validate_url(url, nothing, allow_private=False)
    await validate_url(url, nothing, allow_private=True)


@pytest.mark.parametrize("url", UNREADABLE)
async def test_a_url_that_can_be_misread_is_refused_even_where_private_ones_are_allowed(url: str) -> None:
    with pytest.raises(UrlRejected):
        await validate_url(url, nothing, allow_private=True)


@pytest.mark.parametrize("url", GOOD)
async def test_a_good_url_is_taken_apart(url: str) -> None:
    target = parse_url(url)
    assert (target.scheme, target.host, target.port, target.path, target.authority) == GOOD[url]
    await validate_url(url, nothing, allow_private=False)


@pytest.mark.parametrize("private", ["127.0.0.1", "10.1.2.3", "::1", "64:ff9b::a00:1", "fe80::1%eth0", "224.0.0.1"])
async def test_a_host_with_one_private_address_is_refused(private: str) -> None:
    async def resolve(_host: str) -> list[str]:
        return ["8.8.8.8", private]

    with pytest.raises(UrlRejected):
        await validate_url("https://example.com/", resolve, allow_private=False)
    with pytest.raises(UrlRejected):
        await find_addresses(parse_url("https://example.com/"), resolve, allow_private=False)


async def test_an_unresolvable_host_is_accepted_until_sending() -> None:
    await validate_url("https://example.com/", nothing, allow_private=False)
    with pytest.raises(HostNotFound):
        await find_addresses(parse_url("https://example.com/"), nothing, allow_private=False)


def test_addresses_of_the_internet_are_outside() -> None:
    addresses = ("1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "2a00:1450::1")
    assert all(is_public_address(ip_address(address)) for address in addresses)
