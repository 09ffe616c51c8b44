"""Move a channel to the champion, serve what it points to now, measure it again; or put it back."""

from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.transactions import Transaction, get_transaction

from evals.gates import Decision
from evals.gates.confirmation import confirm_gain
from evals.results import Cell, Check
from reports.kept.entries import Promotion
from reports.kept.recorder import CONFIRMATION
from reports.ledger import Ledger
from tasks.identify import identify
from tasks.profile import profile
from tasks.run import Run
from tasks.serve import serve
from variants.errors import PromotionError
from variants.fingerprint import fingerprint, sha256_text
from variants.kept.registry import Change, Entry, Key, Registry
from variants.sources import Source


def channel_key(run: Run) -> Key:
    """Name the channel a study decides on."""
    name = run.study.base if "://" not in run.study.base else _fingerprint_of(run.source)
    return Key(base=name, target=run.study.target, service_class=run.study.service_class)


def _fingerprint_of(source: Source) -> str:
    return source.digest[:16]


@task(cache_policy=NO_CACHE, log_prints=True)
def move_channel(run: Run, decision: Decision) -> Change:
    """Point the channel at the champion; the transaction puts it back if what follows fails."""
    change = Registry(run.home.channels).move(channel_key(run), _entry(run, decision))
    transaction = get_transaction()
    assert transaction is not None, "a channel only moves inside a transaction"
    transaction.set("change", change)
    transaction.set("channels", run.home.channels)
    print(f"channel {channel_key(run)}: {decision.variant} is champion, to be confirmed")
    return change


@move_channel.on_rollback
def restore_channel(transaction: Transaction) -> None:
    """Put the channel back as it was."""
    Registry(transaction.get("channels")).undo(transaction.get("change"))
    print("channel put back as it was")


def _entry(run: Run, decision: Decision) -> Entry:
    spec = run.spec(decision.variant)
    manifest = run.store.find(run.artifact(decision.variant).name)
    if manifest is None:
        raise PromotionError(
            f"artifact of {decision.variant} does not verify; run the study again to rebuild it"
        )
    return Entry(
        variant=decision.variant,
        artifact=manifest.fingerprint,
        manifest_sha256=manifest.sha256,
        serving_fingerprint=fingerprint(spec.serving),
        decision_sha256=sha256_text(decision.model_dump_json()),
        policy_sha256=decision.policy_sha256,
        run=run.name,
        at=_now(),
    )


@task(cache_policy=NO_CACHE, log_prints=True)
def confirm_champion(run: Run, decision: Decision) -> str:
    """Serve what the channel points to, look at it, and measure the objective afresh.

    Raises:
        PromotionError: the artifact does not verify, the server is not what was judged, or the
            gain is not measured again.
    """
    registry = Registry(run.home.channels)
    registry.verify(channel_key(run), run.store)
    channel = registry.read(channel_key(run))
    assert channel is not None, "it was moved just now"
    champion = channel.champion.variant
    cells = tuple(c for c in run.study.workload.cells if c.name == run.study.objective.cell)
    attempt = _next_attempt(run, champion)
    with (
        serve(run, champion, "baseline", "warm", attempt) as baseline,
        serve(run, champion, "variant", "warm", attempt) as served,
    ):
        identify.fn(run, champion, "variant", served, attempt)
        profile.fn(run, champion, {"baseline": baseline, "variant": served}, cells, attempt)
    _require_identity(run, champion, attempt)
    return confirm_gain(run.study, _fresh_cells(run, champion, attempt))


def _next_attempt(run: Run, champion: str) -> str:
    """Number confirmations: what an earlier one measured is not fresh."""
    steps = (record.step for _, record in run.recorder.records() if record.variant == champion)
    attempts = {step.split(".")[1] for step in steps if step.startswith(CONFIRMATION)}
    return f"{CONFIRMATION}{len(attempts)}."


def _require_identity(run: Run, champion: str, attempt: str) -> None:
    failed = [
        record.payload.reason
        for _, record in run.recorder.records()
        if record.variant == champion
        and record.step.startswith(attempt)
        and isinstance(record.payload, Check)
        and record.payload.passed is False
        and record.payload.stage != "isolation"  # shown; no policy of ours gates it
    ]
    if failed:
        raise PromotionError(f"{champion}: the served champion failed: {failed[0]}")


def _fresh_cells(run: Run, champion: str, attempt: str) -> list[Cell]:
    return [
        record.payload
        for _, record in run.recorder.records()
        if record.variant == champion
        and record.step.startswith(attempt)
        and isinstance(record.payload, Cell)
    ]


@task(cache_policy=NO_CACHE, log_prints=True, retries=6, retry_delay_seconds=10)
def record_promotion(run: Run, decision: Decision, action: str, reason: str) -> Promotion:
    """File what happened to the channel as evidence and in the ledger (a reader may hold it)."""
    promotion = _promotion(run, decision.variant, action, reason)
    text = promotion.model_dump_json()
    run.store.put_evidence(run.name, decision.variant, "entry.promotion", text)
    with Ledger(run.home.ledger) as ledger:
        ledger.append_once(promotion)
    return promotion


def _promotion(run: Run, variant: str, action: str, reason: str) -> Promotion:
    fields = {
        "study": run.study.name,
        "run": run.name,
        "variant": variant,
        "channel": str(channel_key(run)),
        "fingerprint": run.artifact(variant).name,
        "action": action,
        "at": _now(),
        "reason": reason,
    }
    return Promotion.model_validate(fields)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
