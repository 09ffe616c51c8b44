"""What an adapter must show: a rank, layers and shapes that the base has, and sound numbers."""

import math

from variants.adapters.pairs import Pair, change_norm
from variants.adapters.settings import Settings
from variants.audit.finding import AuditFinding, judge
from variants.audit.linears import Linear
from variants.audit.safetensors import map_bytes
from variants.audit.scan import scan

DTYPES = frozenset({"BF16", "F16", "F32"})
# Entries of a trained layer have a size near 1 / sqrt(width): .042 at a width of 576. A change of 1
# per entry is 24 times the layer itself: a wrong scaling, or an attack on a shared process.
MAX_CHANGE_RMS = 1.0


def check_rank(settings: Settings, pairs: tuple[Pair, ...]) -> AuditFinding:
    """Compare the rank that is told with the matrices, and with the layers they change."""
    problems = [problem for pair in pairs if (problem := _rank_problem(settings, pair))]
    ranks = sorted({pair.rank for pair in pairs})
    scalings = sorted({settings.scaling(pair.module) for pair in pairs})
    told = f"rank {', '.join(map(str, ranks))}, scaling {', '.join(f'{s:g}' for s in scalings)}"
    return judge("rank", problems, told, max_rank=ranks[-1], alpha=settings.lora_alpha)


def _rank_problem(settings: Settings, pair: Pair) -> str:
    told = settings.rank(pair.module)
    if pair.rank != told:
        return f"{pair.module} holds rank {pair.rank}, adapter_config.json says {told}"
    if pair.rank > min(pair.shape):
        return f"{pair.module} has rank {pair.rank}, above the {min(pair.shape)} of its own layer"
    return ""


def check_targets(settings: Settings, pairs: tuple[Pair, ...]) -> AuditFinding:
    """Compare the layers that are named with those that have matrices.

    A name without matrices is trained nowhere; matrices without a name are what an engine drops. A
    regular expression is told and not run: a hostile one takes for ever.
    """
    named = settings.target_modules
    modules = [pair.module for pair in pairs]
    praise = f"{len(modules)} layers"
    if not isinstance(named, tuple):
        return judge("targets", [], f"{praise}, named by {str(named)[:60]!r}")
    problems = [
        f"{name} is named and has no matrices"
        for name in named
        if not any(_is_named(module, (name,)) for module in modules)
    ]
    problems += [
        f"{module} has matrices and is not named"
        for module in modules
        if not _is_named(module, named)
    ]
    return judge("targets", problems, f"{praise}: {', '.join(named)}", num_layers=len(modules))


def _is_named(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.endswith(f".{name}") for name in names)


def check_fits(pairs: tuple[Pair, ...], linears: tuple[Linear, ...]) -> AuditFinding:
    """Look whether the base has every layer, and of that shape.

    An engine drops what its base has not, says that the adapter is loaded, and serves the base.
    """
    shapes = {one.module: one.shape for one in linears}
    problems = [
        f"{pair.module} is no linear layer of the base"
        if pair.module not in shapes
        else f"{pair.module} is for {pair.shape[0]} x {pair.shape[1]}, "
        f"the base has {shapes[pair.module][0]} x {shapes[pair.module][1]}"
        for pair in pairs
        if shapes.get(pair.module) != pair.shape
    ]
    return judge("fits the base", problems, f"all {len(pairs)} layers are the base's, in shape too")


def check_numbers(pairs: tuple[Pair, ...]) -> AuditFinding:
    """Find what is no float, NaN or infinite."""
    tensors = [tensor for pair in pairs for tensor in (pair.down, pair.up)]
    problems = [
        f"{tensor.name} is {tensor.dtype}; use one of {', '.join(sorted(DTYPES))}"
        for tensor in tensors
        if tensor.dtype not in DTYPES
    ]
    problems += [
        f"{name} holds {found.num_nonfinite} NaN or infinite"
        for name, found in scan(tensors).items()
        if found.num_nonfinite
    ]
    dtypes = ", ".join(sorted({tensor.dtype for tensor in tensors}))
    return judge("finite", problems, f"{len(tensors)} matrices in {dtypes}, all finite")


def check_change(settings: Settings, pairs: tuple[Pair, ...]) -> AuditFinding:
    """Measure the change of each layer: all zero does nothing, and above 1 an entry ruins it."""
    if not any(_is_written(pair) for pair in pairs):
        told = "every change is zero: this adapter was never trained, or lost its lora_B"
        return judge("change", [told], "")
    sizes = {
        pair.module: settings.scaling(pair.module)
        * change_norm(pair)
        / math.sqrt(pair.shape[0] * pair.shape[1])
        for pair in pairs
    }
    worst = max(sizes, key=sizes.__getitem__)
    told = f"at most {sizes[worst]:.3g} per entry of a weight, in {worst}"
    problems = [f"{told}; more than {MAX_CHANGE_RMS:g}"] if sizes[worst] > MAX_CHANGE_RMS else []
    return judge("change", problems, told, largest_change_rms=sizes[worst])


def _is_written(pair: Pair) -> bool:
    return bool(map_bytes(pair.up).any() and map_bytes(pair.down).any())
