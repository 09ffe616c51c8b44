"""After how many output tokens what a variant saves has paid for its making.

Counted in device time, which needs no price; a price multiplies both sides. Per million tokens an
arm takes 10**6 / (tokens per second) / 3600 device hours.

Example: a build of .01 device hours; the baseline writes 100 tokens/s, 2.7778 h a million, the
variant 125, 2.2222 h. It saves .5556 h a million: .01 / .5556 = .018 million, 18,000 tokens.
"""

MILLION, SECONDS_PER_HOUR = 10**6, 3600


def device_hours_per_million(tokens_per_s: float) -> float:
    """Return the device hours that a million output tokens take."""
    return MILLION / tokens_per_s / SECONDS_PER_HOUR


def break_even_tokens(
    build_device_hours: float, baseline_tokens_per_s: float, variant_tokens_per_s: float
) -> float | None:
    """Return the output tokens after which a build is paid for; None: it saves nothing."""
    if variant_tokens_per_s <= baseline_tokens_per_s:
        return None
    saved = device_hours_per_million(baseline_tokens_per_s)
    saved -= device_hours_per_million(variant_tokens_per_s)
    return MILLION * build_device_hours / saved
