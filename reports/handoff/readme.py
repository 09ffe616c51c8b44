"""What the folder's README says: what this is, how to serve it, how to check it."""

from reports.handoff.deployment import Deployment

TEXT = """\
# {variant}, qualified for {channel}

Run `{run}` of study `{study}` promoted it under policy `{policy}` ({margin}). The certificate holds
until {until} on {engine} {version} and this kind of machine: {machine}. Another engine version or
machine was not qualified.

| to serve it on | |
|---|---|
| this machine | `./serve.sh`, then `http://127.0.0.1:8000/v1` (model `{served}`) |
| a container | `docker build -f Containerfile -t REGISTRY/{variant}:{artifact} .` |
| Kubernetes | put the image's address into `kubernetes.yaml`, then `kubectl apply -f` it |
| llm-d | `llm-d.values.yaml` for the chart llm-d-modelservice, model on the claim `handoff` |
| Triton | the folder `triton/`; its image must bring {engine} {version} |

Neither image nor cluster was tried by the pipeline: what was measured is the command in `serve.sh`.

## Check it

    sha256sum -c SHA256SUMS
    python -m reports.certificate verify certificate.json --artifact model \\
      --key certificate.pub.pem --elsewhere

The second command is Touchstone's; without `--elsewhere` it also compares engine, policy and
machine. Trust a public key that you have from whoever signs, not the one beside the certificate.

## Where it is better, and where not

{cells}
"""


def readme(deployment: Deployment) -> str:
    """Fill in the text."""
    bound = deployment.bound
    hardware = bound.hardware
    cards = ", ".join(f"{one.name} (driver {one.driver})" for one in hardware.accelerators)
    cells = [f"- {one.cell}: {one.standing}; {'; '.join(one.by)}" for one in bound.cells]
    return TEXT.format(
        variant=bound.variant,
        channel=bound.channel,
        run=bound.run,
        study=bound.study,
        policy=bound.policy,
        margin=bound.margin,
        until=f"{bound.expires_at:%Y-%m-%d}",
        engine=bound.engine,
        version=bound.engine_version,
        machine=cards or f"{hardware.cpu_model}, {hardware.num_cores} cores",
        served=bound.serving.served_name,
        artifact=bound.artifact,
        cells="\n".join(cells) or "No cell was judged.",
    )
