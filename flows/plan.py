"""What a study would do: the dry run."""

from evals.gates import load_policy
from evals.study import Study
from evals.study_file import base_spec, load_study, variant_specs
from evals.suites import CHOICES, WRITTEN
from flows.qualify import STUDIES, chosen
from variants.fingerprint import fingerprint
from variants.ladder import change_class


def print_plan(study: Study | str, only: str | None) -> int:
    """Print base, variants, cells, suites and gates of a study without doing anything; 0."""
    loaded = study if isinstance(study, Study) else load_study(study, STUDIES)
    policy, specs = load_policy(loaded.policy), variant_specs(loaded)
    cells, workload = [cell.name for cell in loaded.workload.cells], loaded.workload
    print(f"study {loaded.name}: {base_spec(loaded).source} on {loaded.target}")
    for name in chosen(loaded, only):
        print(f"  {name:<24} {change_class(specs[name]):<9} spec {fingerprint(specs[name])}")
    print(f"  cells: {', '.join(cells)}; {workload.repeats} repeats, two arms")
    items = loaded.items
    print(f"  suites of choices: {', '.join(one for one in loaded.suites if one in CHOICES)}")
    print(f"    {items.artifact} items in process, {items.engine} through the engine")
    print(f"  suites in writing: {', '.join(one for one in loaded.suites if one in WRITTEN)}")
    print(f"    {items.written} items through the engine")
    print(f"  policy {policy.name}: {', '.join(gate.id for gate in policy.gates)}")
    goal = loaded.objective
    print(f"  objective: {goal.metric} in {goal.cell}; a gain of {loaded.min_gain:.0%} is asked")
    return 0
