"""Read a study from its YAML, and turn it into specs."""

import reprlib
from pathlib import Path

from pydantic import ValidationError

from evals.gates import load_policy
from evals.gates.kinds import PairedAccuracyGate, SuiteGate
from evals.study import FEWEST, Study
from evals.suites import SUITES
from evals.suites.naming import OWN, named, rooted, suite_of
from evals.workload.cell import CellSpec
from evals.yaml_file import read_mapping
from variants.catalogue import base_of, bf16, variant_of
from variants.errors import StudyError
from variants.specs.spec import Base, Serving, Variant

NULL_ITEMS = 200  # flips of 3 % are then told from 6 %


def load_study(name_or_path: str, folder: Path) -> Study:
    """Read `NAME.yaml` of a folder, or a path.

    Raises:
        StudyError: no such study (says which there are), an invalid one (says which key), or a log
            to replay that is not there.
    """
    path = Path(name_or_path)
    if path.suffix not in {".yaml", ".yml"}:
        path = folder / f"{name_or_path}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in folder.glob("*.yaml")))
        raise StudyError(
            f"no study {name_or_path!r}; there are: {known}; or give a YAML file's path"
        )
    try:
        study = Study.model_validate(read_mapping(path, "study"))
    except ValidationError as error:
        raise StudyError(f"{path} is no valid study: {explain(error)}") from error
    for cell in study.workload.cells:
        _require_sendable(study, cell)
    entries = tuple(rooted(entry, path.parent) for entry in study.suites)
    for entry in entries:
        if not isinstance(entry, str) and OWN in entry:
            suite_of(entry)  # a file that cannot be read is told now, not after an hour
    rooted_study = study.model_copy(update={"suites": entries})
    _require_suites_of_items(rooted_study)
    return rooted_study


def _require_suites_of_items(study: Study) -> None:
    """Look whether every number of items is of a suite that the study asks.

    Raises:
        StudyError: one is not; says which there are.
    """
    if not study.items.of:
        return
    known = [suite.id for _, suite in named(study.suites)]
    unknown = sorted(study.items.of.keys() - set(known))
    if unknown:
        raise StudyError(f"items.of names {unknown[0]!r}; the study asks: {', '.join(known)}")


def under_policy(study: Study, policy: str) -> Study:
    """Judge a study by another policy: its suites are asked, with as many items as it needs.

    Suites of the user's own stay.

    Raises:
        StudyError: there is no such policy.
    """
    gates = [one for one in load_policy(policy).gates if isinstance(one, SuiteGate)]
    own = [(entry, suite.id) for entry, suite in named(study.suites) if suite.id not in SUITES]
    asked: dict[str, int] = {}
    for one in gates:
        asked[one.suite] = max(FEWEST, one.min_items, asked.get(one.suite, 0))
    paired = [one for one in gates if isinstance(one, PairedAccuracyGate)]
    null_arm = [NULL_ITEMS for one in paired if one.max_null_flips is not None]
    items = study.items
    return study.model_copy(
        update={
            "policy": policy,
            "suites": (
                *(suite for suite in SUITES if suite in asked),
                *(entry for entry, _ in own),
            ),
            "items": items.model_copy(
                update={"of": asked, "null_arm": max([items.null_arm, *null_arm])}
            ),
        }
    )


def _require_sendable(study: Study, cell: CellSpec) -> None:
    """Look whether a cell has anything to send, and whether it fits what the engines serve.

    Raises:
        StudyError: a log to replay is not there, or has nothing in the window; or a prompt and its
            answer are longer than the context.
    """
    workload, context = study.workload, _serving(study).max_model_len
    span_s = workload.ramp_s + workload.window_s
    if cell.replay and not cell.replay.requests(span_s):
        raise StudyError(f"{cell.name}: the log has nothing in {span_s:g} s from begin_s on")
    longest = workload.longest_of(cell)
    if longest > context and "--max-model-len" not in study.engine_arguments:
        raise StudyError(
            f"{cell.name}: a prompt and its answer take {longest} tokens, and engines are served "
            f"with {context}; shorten them, or add --max-model-len to engine_arguments"
        )


def explain(error: ValidationError) -> str:
    """Say per key what is wrong, in one line."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'study'}: {one['msg']} (got {_short(one['input'])})"
        for one in error.errors()
    )


def _short(value: object) -> str:
    """Show a value without rendering all of it: aliases can make a small file a huge one."""
    limits = reprlib.Repr()
    limits.maxlevel, limits.maxdict, limits.maxlist = 2, 3, 3
    limits.maxstring = limits.maxother = 80
    return limits.repr(value)


def base_spec(study: Study) -> Base:
    """Return the base a study names."""
    return base_of(study.base, study.base_sha256)


def baseline_spec(study: Study) -> Variant:
    """Return the baseline of a study."""
    return bf16(base_spec(study), _serving(study))


def variant_specs(study: Study) -> dict[str, Variant]:
    """Return the study's candidates by name.

    Raises:
        StudyError: an unknown function or argument, or two variants of one name.
    """
    specs: dict[str, Variant] = {}
    for entry in study.variants:
        name, arguments = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
        variant = variant_of(name, arguments, base_spec(study), _serving(study))
        if variant.name in specs:
            raise StudyError(f"variant {variant.name!r} stands twice in study {study.name!r}")
        specs[variant.name] = variant
    return specs


def _serving(study: Study) -> Serving:
    return Serving(custom_ops=study.custom_ops, arguments=study.engine_arguments)
