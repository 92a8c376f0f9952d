"""The manifests of deploy/kubernetes: valid, and every pod has few rights and settings that the program accepts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

from frontdesk.cli.main import COMMANDS
from frontdesk.config import read_settings

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
SECRETS = "/run/secrets/frontdesk"


def _resources() -> list[dict[str, Any]]:
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]
    assert {*listed, "kustomization.yaml", "secret.example.yaml"} == {path.name for path in FOLDER.iterdir()}
    names = [*listed, "secret.example.yaml"]
    return [resource for name in names for resource in yaml.safe_load_all((FOLDER / name).read_text())]


def _of_kind(kind: str) -> dict[str, Any]:
    (found,) = [resource for resource in _resources() if resource["kind"] == kind]
    return found


def _pods() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for resource in _resources():
        if resource["kind"] in ("Deployment", "Job"):
            template = resource["spec"]["template"]
            (container,) = template["spec"]["containers"]
            yield template, container


def test_every_manifest_is_valid() -> None:
    newest = kubernetes_validate.latest_version()
    kinds = {resource["kind"] for resource in _resources()}
    assert kinds >= {"ConfigMap", "Deployment", "Job", "PodDisruptionBudget", "Secret", "Service"}
    for resource in _resources():
        kubernetes_validate.validate(resource, newest, strict=True)


def test_every_pod_has_few_rights() -> None:
    for template, container in _pods():
        assert template["spec"]["securityContext"]["runAsNonRoot"]
        assert not template["spec"]["automountServiceAccountToken"]
        rights = container["securityContext"]
        assert (rights["readOnlyRootFilesystem"], rights["allowPrivilegeEscalation"]) == (True, False)
        assert rights["capabilities"] == {"drop": ["ALL"]}
        assert container["args"][0] in COMMANDS


def test_the_settings_are_accepted_and_kubernetes_adds_none(tmp_path: Path) -> None:
    for name, value in _of_kind("Secret")["stringData"].items():
        (tmp_path / name).write_text(value)
    given = {name: value.replace(SECRETS, str(tmp_path)) for name, value in _of_kind("ConfigMap")["data"].items()}
    settings = read_settings(given)
    assert settings.database_url == _of_kind("Secret")["stringData"]["database-url"]
    assert settings.secret_keys
    for template, container in _pods():
        assert template["spec"]["enableServiceLinks"] is False  # FRONTDESK_PORT of the service would be refused
        assert {"configMapRef": {"name": "frontdesk"}} in container["envFrom"]
        assert SECRETS in {mount["mountPath"] for mount in container["volumeMounts"]}


def test_the_service_and_the_budget_select_the_servers() -> None:
    templates = [template for template, container in _pods() if container["args"][0] == "serve"]
    labels = _of_kind("Service")["spec"]["selector"]
    assert [template["metadata"]["labels"] for template in templates] == [labels]
    assert _of_kind("PodDisruptionBudget")["spec"]["selector"] == {"matchLabels": labels}
