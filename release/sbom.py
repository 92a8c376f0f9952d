"""The bill of materials of the server, in CycloneDX: every package that a locked installation contains."""

from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from release.commit import Commit
from release.lock import pinned_versions


def sbom(requirements: str, commit: Commit) -> str:
    versions = pinned_versions(requirements)
    server = _component("frontdesk", versions.pop("frontdesk"), ComponentType.APPLICATION)
    packages = [_component(name, version, ComponentType.LIBRARY) for name, version in versions.items()]
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"frontdesk:{commit.name}"),
        metadata=BomMetaData(component=server, timestamp=datetime.fromtimestamp(commit.seconds, UTC)),
        components=packages,
        dependencies=[Dependency(server.bom_ref, [Dependency(package.bom_ref) for package in packages])],
    )
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _component(name: str, version: str, kind: ComponentType) -> Component:
    address = PackageURL("pypi", name=name, version=version)
    return Component(type=kind, name=name, version=version, purl=address, bom_ref=str(address))
