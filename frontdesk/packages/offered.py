"""Which packages this installation offers, each made when it is first asked for."""

import hashlib
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from frontdesk import __version__
from frontdesk.packages.examples import build_examples
from frontdesk.packages.typescript_package import build_typescript_package, typescript_version
from frontdesk.packages.wheels import build_wheel, find_installed

ADDRESS = "/packages"
PYTHON_CLIENT, SERVICE, TYPESCRIPT_CLIENT = "frontdesk_client", "frontdesk", "frontdesk-client"
EXAMPLES = "frontdesk-examples"


class OfferedPackage(NamedTuple):
    name: str
    version: str
    ending: str
    content_type: str
    build: Callable[[], bytes]

    @property
    def address(self) -> str:
        return f"{ADDRESS}/{self.file_name()}"

    def file_name(self, version: str = "") -> str:
        return f"{self.name}-{version or self.version}{self.ending}"


class BuiltPackage(NamedTuple):
    content: bytes
    sha256: str


@cache
def offered_packages() -> dict[str, OfferedPackage]:
    """By name. A service that was installed without the Python client does not offer it."""
    found = [_wheel(PYTHON_CLIENT), _wheel(SERVICE), _typescript_client(), _examples()]
    return {package.name: package for package in found if package is not None}


def _wheel(name: str) -> OfferedPackage | None:
    installed = find_installed(name)
    if installed is None:
        return None
    build = partial(build_wheel, installed)
    return OfferedPackage(name, installed.distribution.version, "-py3-none-any.whl", "application/zip", build)


def _typescript_client() -> OfferedPackage:
    return OfferedPackage(TYPESCRIPT_CLIENT, typescript_version(), ".tgz", "application/gzip", build_typescript_package)


def _examples() -> OfferedPackage:
    return OfferedPackage(EXAMPLES, __version__, ".zip", "application/zip", build_examples)


@cache
def built_package(name: str) -> BuiltPackage:
    content = offered_packages()[name].build()
    return BuiltPackage(content, hashlib.sha256(content).hexdigest())
