"""What a study would do: the dry run."""

from evals.gates import load_policy
from evals.planning.answerable import unanswerable
from evals.study import Study, SuiteItems
from evals.study_file import base_spec, load_study, variant_specs
from evals.suites import Suite
from evals.suites.naming import Named, named
from flows.qualify import STUDIES, chosen
from variants.fingerprint import fingerprint
from variants.specs.ladder import change_class


def print_plan(study: Study | str, only: str | None) -> int:
    """Print base, variants, cells, suites and gates of a study without doing anything; 0."""
    loaded = study if isinstance(study, Study) else load_study(study, STUDIES)
    policy, specs = load_policy(loaded.policy), variant_specs(loaded)
    cells, workload = [cell.name for cell in loaded.workload.cells], loaded.workload
    print(f"study {loaded.name}: {base_spec(loaded).source} on {loaded.target}")
    for name in chosen(loaded, only):
        print(f"  {name:<24} {change_class(specs[name]):<9} spec {fingerprint(specs[name])}")
    print(f"  cells: {', '.join(cells)}; {workload.repeats} repeats, two arms")
    for _, suite in named(loaded.suites):
        print(f"  suite {_asked(loaded.items, suite)}")
    print(f"  policy {policy.name}: {', '.join(gate.id for gate in policy.gates)}")
    for lack in unanswerable(loaded, policy):
        print(f"  warning: no variant can be promoted: {lack}")
    goal = loaded.objective
    print(f"  objective: {goal.metric} in {goal.cell}; a gain of {loaded.min_gain:.0%} is asked")
    return 0


def _asked(items: SuiteItems, suite: Named) -> str:
    """Say how many items of a suite are asked at most, and how."""
    if not isinstance(suite, Suite):
        return f"{suite.id:<24} {items.asked(suite.id, 'written')} items in writing"
    in_process, served = (items.asked(suite.id, path) for path in ("artifact", "engine"))
    return f"{suite.id:<24} {in_process} items in process, or {served} through the engine"
