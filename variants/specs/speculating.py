"""Variants that speculate, as functions that return full specs (`variants.catalogue` lists them).

Draft tokens are verified by the model itself, so greedy answers stay those of the model; how much
is gained depends on how many are accepted (Leviathan et al., arXiv 2211.17192), and by load.
"""

from variants.specs.address import addressed
from variants.specs.spec import Base, Serving, Speculation, SpeculationMethod, Variant


def ngram_speculation(base: Base, serving: Serving, num_tokens: int = 4) -> Variant:
    """Return the baseline's weights, served with n-gram speculation."""
    return _speculating(f"ngram-{num_tokens}", base, serving, Speculation(num_tokens=num_tokens))


def draft_speculation(base: Base, serving: Serving, draft: str, num_tokens: int = 4) -> Variant:
    """Return the baseline's weights, a smaller model of the same vocabulary drafting for it.

    The draft is an address with #sha256=DIGEST behind it, as of a base.
    """
    return _drafted("draft", base, serving, ("draft_model", addressed(draft), num_tokens))


def eagle_speculation(
    base: Base, serving: Serving, head: str, version: int = 1, num_tokens: int = 4
) -> Variant:
    """Return the baseline's weights with an EAGLE head, of version 1 or 3, trained for it.

    Raises:
        ValueError: the head names no digest, or there is no such version.
    """
    methods: dict[int, SpeculationMethod] = {1: "eagle", 3: "eagle3"}
    if version not in methods:
        raise ValueError(f"EAGLE version {version} is not offered; there are 1 and 3")
    method = methods[version]
    return _drafted(method, base, serving, (method, addressed(head), num_tokens))


def mtp_speculation(base: Base, serving: Serving, num_tokens: int = 1) -> Variant:
    """Return the baseline's weights, drafted for by the prediction layers it brings along."""
    speculation = Speculation(method="mtp", num_tokens=num_tokens)
    return _speculating(f"mtp-{num_tokens}", base, serving, speculation)


def _drafted(
    name: str, base: Base, serving: Serving, how: tuple[SpeculationMethod, Base, int]
) -> Variant:
    method, draft, num_tokens = how
    speculation = Speculation(method=method, draft=draft, num_tokens=num_tokens)
    return _speculating(f"{name}-{num_tokens}", base, serving, speculation)


def _speculating(name: str, base: Base, serving: Serving, speculation: Speculation) -> Variant:
    asked = serving.model_copy(update={"speculation": speculation})
    return Variant(name=name, base=base, serving=asked)
