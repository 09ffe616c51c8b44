"""After how many requests has a longer start paid for itself?

Seconds that the start takes longer, divided by the seconds that each request saves:

    requests = (start_variant - start_baseline) / (request_baseline - request_variant)

Starts are launch to first token; a request's seconds are the window over the requests that ended
well in it, so they hold for that load alone (research/models.md section 6, pattern 8: vllm#19824).
No gain, no break-even; a start that is no longer has paid at once (0).

Example: 221 s to the first token compiled cold against 41 s eager, 2.0 s a request against 1.2 s:
(221 - 41) / (2.0 - 1.2) = 225 requests.
"""

from collections.abc import Iterable

from evals.results import Arm, Cell


def break_even_requests(
    extra_start_s: float, baseline_request_s: float, variant_request_s: float
) -> float | None:
    """Return the requests after which a longer start has paid; None where it never does."""
    if extra_start_s <= 0:
        return 0.0
    saved_s = baseline_request_s - variant_request_s
    return extra_start_s / saved_s if saved_s > 0 else None


def request_s(cells: Iterable[Cell], name: str, arm: Arm) -> float | None:
    """Return the seconds per request of one arm in all valid repeats of a cell; None: no figure.

    Example: windows of 8 s with 16 and 24 requests: 16 / 40 = .4 s.
    """
    found = [cell for cell in cells if (cell.name, cell.arm) == (name, arm) and not cell.invalid]
    num_ok = sum(cell.num_ok for cell in found)
    return sum(cell.window_s for cell in found) / num_ok if num_ok else None
