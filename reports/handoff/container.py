"""A container file, and manifests for Kubernetes and llm-d.

Sources: the Kubernetes API reference of apps/v1 Deployment and v1 Service; llm-d-modelservice's
values.yaml (modelArtifacts, decode.containers with a custom command).
"""

import json
import math

import yaml

from reports.handoff.deployment import PORT, ROOT, Deployment
from variants.specs.spec import BASE_NAME

MEMORY_ROOM = 1.25  # of the peak that was measured: a longer day has larger batches
START_ROOM = 4  # of the longest start that was measured: another disk, another neighbour
UNMEASURED_START_S = 600
PERIOD_S = 10
GIB = 1 << 30
USER = 10001
Manifest = dict[str, object]


def container_file(deployment: Deployment) -> dict[str, str]:
    """Write the file that builds one image with engine and model."""
    python = ".".join(deployment.bound.hardware.python.split(".")[:2])
    compiler = (
        "RUN apt-get update && apt-get install -y --no-install-recommends g++ "
        "&& rm -rf /var/lib/apt/lists/*\n"
        if deployment.bound.serving.mode == "compiled"
        else ""
    )
    variables = "".join(
        f"ENV {name}={json.dumps(value)}\n" for name, value in sorted(deployment.variables.items())
    )
    return {
        "Containerfile": f"FROM python:{python}-slim\n{compiler}"
        f"COPY requirements.txt {ROOT}/requirements.txt\n"
        f"RUN pip install --no-cache-dir --no-deps -r {ROOT}/requirements.txt\n"
        f"COPY . {ROOT}\nRUN mkdir -p {ROOT}/cache && chown {USER} {ROOT}/cache\n"
        f"{variables}USER {USER}\nEXPOSE {PORT}\n"
        f"ENTRYPOINT {json.dumps(['python', *deployment.command])}\n",
        ".containerignore": "environment\ncache\n",
    }


def kubernetes(deployment: Deployment) -> dict[str, str]:
    """Write a Deployment and a Service."""
    labels = {"app.kubernetes.io/name": deployment.name}
    meta = {"name": deployment.name, "labels": labels}
    pods: Manifest = {"metadata": {"labels": labels}, "spec": _pod(deployment)}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": meta,
        "spec": {"selector": labels, "ports": [{"name": "http", "port": PORT}]},
    }
    replicas = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": meta | {"annotations": _annotations(deployment)},
        "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "template": pods},
    }
    return {"kubernetes.yaml": yaml.safe_dump_all([replicas, service], sort_keys=False)}


def llm_d(deployment: Deployment) -> dict[str, str]:
    """Write values for the chart llm-d-modelservice; the model lies on a volume claim."""
    container = _container(deployment) | {"modelCommand": "custom", "mountModelVolume": False}
    is_cpu = deployment.num_accelerators == 0
    values = {
        "modelArtifacts": {
            "name": BASE_NAME,
            "uri": f"pvc://handoff/{deployment.name}/model",
            "size": f"{math.ceil(deployment.model_bytes / GIB) + 1}Gi",
            "labels": {"llm-d.ai/model": deployment.name},
        },
        "accelerator": {"type": "cpu" if is_cpu else "nvidia"},
        "routing": {"servicePort": PORT, "proxy": {"enabled": False}},
        "decode": {
            "create": True,
            "replicas": 1,
            "containers": [container],
            "volumes": _volumes(),
        },
        "prefill": {"create": False},
    }
    return {"llm-d.values.yaml": yaml.safe_dump(values, sort_keys=False)}


def _pod(deployment: Deployment) -> Manifest:
    return {
        "securityContext": {"runAsNonRoot": True, "runAsUser": USER, "fsGroup": USER},
        "automountServiceAccountToken": False,
        "containers": [_container(deployment) | _probes(deployment)],
        "volumes": _volumes(),
    }


def _volumes() -> list[Manifest]:
    return [{"name": "cache", "emptyDir": {}}, {"name": "tmp", "emptyDir": {}}]


def _container(deployment: Deployment) -> Manifest:
    return {
        "name": "engine",
        "image": f"REGISTRY/{deployment.name}:{deployment.bound.artifact}",
        "command": ["python"],
        "args": deployment.command,
        "env": [
            {"name": name, "value": value} for name, value in sorted(deployment.variables.items())
        ],
        "ports": [{"name": "http", "containerPort": PORT, "protocol": "TCP"}],
        "resources": _resources(deployment),
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "cache", "mountPath": f"{ROOT}/cache"},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
    }


def _resources(deployment: Deployment) -> Manifest:
    """Ask what it was measured with; what was not measured is not guessed."""
    asked: Manifest = {"cpu": str(deployment.bound.hardware.num_cores)}
    limits: Manifest = {}
    if deployment.peak_bytes is not None:
        memory = f"{math.ceil(deployment.peak_bytes * MEMORY_ROOM / GIB)}Gi"
        asked["memory"] = limits["memory"] = memory
    if deployment.num_accelerators:
        limits["nvidia.com/gpu"] = str(deployment.num_accelerators)
    return {"requests": asked, "limits": limits}


def _probes(deployment: Deployment) -> Manifest:
    start_s = UNMEASURED_START_S if deployment.ready_s is None else deployment.ready_s * START_ROOM
    look = {"httpGet": {"path": "/health", "port": PORT}, "periodSeconds": PERIOD_S}
    return {
        "startupProbe": look | {"failureThreshold": max(6, math.ceil(start_s / PERIOD_S))},
        "readinessProbe": look,
        "livenessProbe": look | {"failureThreshold": 6, "timeoutSeconds": 10},
    }


def _annotations(deployment: Deployment) -> dict[str, str]:
    bound = deployment.bound
    return {
        "touchstone/run": bound.run,
        "touchstone/artifact": bound.artifact,
        "touchstone/policy": bound.policy,
        "touchstone/qualified-until": bound.expires_at.isoformat(),
    }
