"""Asks an engine for its metrics and its idleness (adapter: httpx)."""

import time

import httpx

from evals.performance.endpoint import Endpoint
from evals.performance.engine_metrics import EngineSample, metric_map, parse
from evals.performance.ticking import INTERVAL_S, Ticking
from variants.errors import MeasurementError

TIMEOUT_S = 5.0
IDLE_POLL_S = 0.1
RECOVERY_POLL_S = 0.02
RECOVERY_DEADLINE_S = 10.0


def scrape(endpoint: Endpoint, client: httpx.Client | None = None) -> EngineSample:
    """Read /metrics once.

    Raises:
        MeasurementError: it does not answer, or nobody has mapped this engine's version.
    """
    families = metric_map(endpoint.engine, endpoint.engine_version)
    get = client.get if client else httpx.get
    try:
        response = get(f"{endpoint.base_url}/metrics", timeout=TIMEOUT_S)
        response.raise_for_status()
    except httpx.HTTPError as error:
        raise MeasurementError(
            f"{endpoint.base_url}/metrics gave {type(error).__name__}: {error}; "
            "look at the engine's log"
        ) from error
    return parse(response.text, families, time.monotonic_ns())


def reset_prefix_cache(endpoint: Endpoint) -> bool:
    """Empty the prefix cache; False where the engine does not offer it."""
    try:
        response = httpx.post(f"{endpoint.base_url}/reset_prefix_cache", timeout=TIMEOUT_S)
    except httpx.HTTPError:
        return False
    return response.is_success


def is_idle_within(endpoint: Endpoint, deadline_s: float) -> bool:
    """Wait until nothing runs or waits on the engine; False if it stays busy or does not say."""
    until = time.monotonic() + deadline_s
    while time.monotonic() < until:
        values = scrape(endpoint).values
        if values["running"] == 0 and values["waiting"] == 0:
            return True
        time.sleep(IDLE_POLL_S)
    return False


def recovery_ms(endpoint: Endpoint, since_ns: int, kv_usage: float | None) -> float | None:
    """Return how long after the last caller left the engine was at rest; None: not in 10 s.

    At rest: nothing runs or waits, the KV cache is no fuller than `kv_usage` (before the cell), and
    no token is generated any more. It errs by the time a reading takes, and never too short.
    """
    until = time.monotonic() + RECOVERY_DEADLINE_S
    generated: float | None = None
    while time.monotonic() < until:
        try:
            sample = scrape(endpoint)
        except MeasurementError:
            return None  # it is gone
        if _is_at_rest(sample, kv_usage) and sample.values["generated_tokens_total"] == generated:
            return (sample.at_ns - since_ns) / 1e6
        generated = sample.values["generated_tokens_total"]
        time.sleep(RECOVERY_POLL_S)
    return None


def _is_at_rest(sample: EngineSample, kv_usage: float | None) -> bool:
    values = sample.values
    now = values["kv_usage"]
    is_freed = now is None or kv_usage is None or now <= kv_usage
    return values["running"] == 0 and values["waiting"] == 0 and is_freed


class EngineSampler(Ticking):
    """Keeps what /metrics says."""

    def __init__(self, endpoint: Endpoint, interval_s: float = INTERVAL_S) -> None:
        super().__init__("engine-sampler", interval_s)
        self._endpoint = endpoint
        self._client = httpx.Client()
        self.samples: list[EngineSample] = []
        self.failures: list[str] = []

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._client.close()

    def look(self) -> None:
        """Read once; what went wrong is kept too."""
        try:
            self.samples.append(scrape(self._endpoint, self._client))
        except MeasurementError as error:
            self.failures.append(str(error))
