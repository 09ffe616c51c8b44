"""Publish to MLflow's model registry over its REST API, artifacts through its own proxy.

Address: mlflow+http://HOST:PORT. MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and
MLFLOW_TRACKING_PASSWORD, are read from the environment. MLflow's own client pins an older pyarrow
than the pipeline, and its REST API is stable: mlflow.org/docs, REST API 2.0.
"""

import os
from typing import Any
from urllib.parse import quote

from reports.publishing.package import Package
from reports.publishing.rest import Rest
from variants.errors import PromotionError

API, FILES = "/api/2.0/mlflow", "/api/2.0/mlflow-artifacts/artifacts"
EXPERIMENT, FOLDER, SCHEME = "touchstone", "handoff", "mlflow-artifacts:/"
VERSION, EXISTS, NOT_FOUND = "touchstone.version", 400, 404


class MlflowPublisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take mlflow+http://HOST:PORT."""
        user, password = (
            os.environ.get(f"MLFLOW_TRACKING_{one}") for one in ("USERNAME", "PASSWORD")
        )
        auth = (user, password) if user and password else None
        url = address.removeprefix("mlflow+")
        self._rest = Rest(url, auth, os.environ.get("MLFLOW_TRACKING_TOKEN"))

    def put(self, package: Package) -> str:
        """Upload the files and register a version of them, once."""
        self._rest.ask("POST", f"{API}/registered-models/create", (EXISTS,),
                       json={"name": package.name})  # fmt: skip
        if self._number(package.name, package.version) is None:
            run, place = self._begin_run(package)
            folder = f"{place.removeprefix(SCHEME)}/{FOLDER}"
            for name in package.files:
                with package.path(name).open("rb") as stream:
                    self._rest.ask("PUT", f"{FILES}/{folder}/{quote(name)}", content=stream)
            ended = {"run_id": run, "status": "FINISHED"}
            self._rest.ask("POST", f"{API}/runs/update", json=ended)
            self._register(package, f"{place}/{FOLDER}", run)
        number = self._number(package.name, package.version)
        return f"models:/{package.name}/{number}"

    def point(self, package: Package, alias: str) -> None:
        """Set the alias to the version's number."""
        number = self._number(package.name, package.version)
        if number is None:
            raise PromotionError(f"{package.version} is not registered; publish it first")
        body = {"name": package.name, "alias": alias, "version": number}
        self._rest.ask("POST", f"{API}/registered-models/alias", json=body)

    def current(self, name: str, alias: str) -> str | None:
        """Return our version that the alias means."""
        asked = {"name": name, "alias": alias}
        found = self._rest.ask(
            "GET", f"{API}/registered-models/alias", (EXISTS, NOT_FOUND), params=asked
        )
        return _tag(found.json()["model_version"]) if found.is_success else None

    def _begin_run(self, package: Package) -> tuple[str, str]:
        """Return a run's name and the place of its artifacts: MLflow takes files of a run alone."""
        known = self._rest.ask(
            "GET", f"{API}/experiments/get-by-name", (NOT_FOUND,),
            params={"experiment_name": EXPERIMENT},
        )  # fmt: skip
        if known.is_success:
            experiment = known.json()["experiment"]["experiment_id"]
        else:
            made = self._rest.ask("POST", f"{API}/experiments/create", json={"name": EXPERIMENT})
            experiment = made.json()["experiment_id"]
        tags = [{"key": key, "value": value} for key, value in package.about.items()]
        body = {"experiment_id": experiment, "run_name": package.about["run"], "tags": tags}
        info = self._rest.ask("POST", f"{API}/runs/create", json=body).json()["run"]["info"]
        if not info["artifact_uri"].startswith(SCHEME):
            raise PromotionError(
                f"MLflow keeps artifacts at {info['artifact_uri']}, which is not its own proxy; "
                "start it with --artifacts-destination"
            )
        return str(info["run_id"]), str(info["artifact_uri"])

    def _register(self, package: Package, source: str, run: str) -> None:
        tags = {VERSION: package.version} | package.about
        body = {
            "name": package.name,
            "source": source,
            "run_id": run,
            "description": f"{package.about['variant']} of run {package.about['run']}",
            "tags": [{"key": key, "value": value} for key, value in tags.items()],
        }
        self._rest.ask("POST", f"{API}/model-versions/create", json=body)

    def _number(self, name: str, version: str) -> str | None:
        asked = {"filter": f"name='{name}'", "max_results": 1000}
        found = self._rest.ask("GET", f"{API}/model-versions/search", params=asked).json()
        numbers = [
            str(one["version"]) for one in found.get("model_versions", []) if _tag(one) == version
        ]
        return numbers[0] if numbers else None


def _tag(version: dict[str, Any]) -> str | None:
    tags = {tag["key"]: tag["value"] for tag in version.get("tags", [])}
    return tags.get(VERSION)
