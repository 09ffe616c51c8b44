"""Any task of lm-eval that is answered by choosing, as a suite (adapter over lm_eval).

Origin: lm-eval's own task files decide what is shown: description, examples (as many as the task
asks for), question and options, without a chat template, as their published figures are taken. The
data set is brought by lm-eval from the hub or from where the task says. Only the requests are taken
over; scoring and statistics are ours.

Example: `arc_easy` gives items `arc_easy/0`, `arc_easy/1`, ... with a context that ends in
`Answer:` and options such as ` a leaf`, the right one first.
"""

import io
from collections.abc import Collection
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.suites.item import Item, Request, Suite, draw_items
from variants.errors import MeasurementError, StudyError

if TYPE_CHECKING:
    from lm_eval.tasks import TaskManager

EXAMPLES_SEED = 1234
CHOICE = "multiple_choice"
WANTED = f"only {CHOICE} with one context and one right option can be scored; name another task"


def named_task(name: str, manager: "TaskManager | None" = None) -> Suite:
    """Load a task by its name, or by the path of its YAML.

    Raises:
        StudyError: there is no such task, it is a group of tasks, it is not answered by choosing
            among options after one context, or its examples could show an item's own answer.
        MeasurementError: its data set cannot be reached, or an item has no single right option.
    """
    task = _load(name, manager)
    items = tuple(_item(task, place, doc) for place, doc in enumerate(task.eval_docs))

    def draw(request: Request) -> tuple[Item, ...]:
        return draw_items(items, request)

    return Suite(
        id=f"lm-eval-{task.task_name}",
        origin=f"task {task.task_name} of lm-eval, version {task.VERSION}",
        licence="that of the task's data set",
        chance=sum(1 / len(item.options) for item in items) / len(items),
        cluster_key="item",
        rule="highest log-likelihood per token among the options; a tie is wrong",
        exercises="prefill",
        data={},
        per_token=True,
        items=draw,
    )


def _load(name: str, manager: "TaskManager | None") -> Any:
    """Load one task and look whether it is a choice; what its file tells is looked at first."""
    from lm_eval.tasks import TaskManager  # noqa: PLC0415  (seconds to load)

    # To look through all of lm-eval's own tasks takes 20 s.
    manager = manager or TaskManager(include_defaults=not Path(name).is_file())
    entry = manager.task_index.get(name)
    if entry is None and not Path(name).is_file():
        raise StudyError(f"lm-eval has no task {name!r}; `lm-eval ls tasks` lists those it has")
    if entry is not None:
        _require_one_choice(name, entry)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            tasks = manager.load(name)["tasks"]
    except Exception as error:  # what a missing data set raises depends on who looks for it
        raise MeasurementError(
            f"task {name!r} of lm-eval cannot be loaded ({type(error).__name__}: {error}); bring "
            "its data set to this machine first, or give the items as a file: {own: FILE.jsonl}"
        ) from error
    if len(tasks) != 1:
        raise StudyError(f"{name!r} is a group of tasks: {_few(tasks)}; name one of them")
    (task,) = tasks.values()
    _require_scorable(name, task)
    return task


def _require_one_choice(name: str, entry: Any) -> None:
    """Refuse a group, or another kind of task, before its data set is fetched."""
    config = entry.cfg or {}
    if entry.kind.name in ("GROUP", "TAG"):
        members = [one for one in config.get("task") or () if isinstance(one, str)]
        raise StudyError(f"{name!r} is a group of tasks: {_few(members)}; name one of them")
    if config.get("output_type", CHOICE) != CHOICE:
        raise StudyError(f"task {name!r} has output_type {config['output_type']!r}; {WANTED}")


def _require_scorable(name: str, task: Any) -> None:
    if task.OUTPUT_TYPE != CHOICE or task.multiple_input or task.multiple_target:
        raise StudyError(
            f"task {name!r} has output_type {task.OUTPUT_TYPE!r}, {task.multiple_input or 'one'} "
            f"context(s) and {task.multiple_target or 'one'} right option(s); {WANTED}"
        )
    if _can_show_the_item(task):
        raise StudyError(
            f"task {name!r} takes its examples from the items themselves, so one could show its "
            "own answer; name another fewshot_split in its YAML, or set num_fewshot to 0"
        )


def _can_show_the_item(task: Any) -> bool:
    """Whether an item can be among its examples: lm-eval looks out for it in test splits only."""
    config, named = task.config, task.fewshot_cfg.split
    if not config.num_fewshot or task.fewshot_cfg.samples is not None:
        return False
    shown = named or config.training_split or config.validation_split or config.test_split
    is_asked = shown == (config.test_split or config.validation_split)
    return bool(is_asked and (named is None or named != config.test_split))


def _few(names: Collection[str]) -> str:
    return ", ".join(sorted(names)[:5]) + (", ..." if len(names) > 5 else "") or "not listed"


def _item(task: Any, place: int, doc: dict[str, Any]) -> Item:
    item, options = f"{task.task_name}/{place}", task.doc_to_choice(doc)
    gold = task.doc_to_target(doc)
    if isinstance(gold, str) and gold in options:
        gold = options.index(gold)
    if not isinstance(gold, int) or not 0 <= gold < len(options) or len(set(options)) < 2:
        raise MeasurementError(
            f"{item} has gold {gold!r}, which names none of its options {options}; mend the task, "
            "or give its items as a file: {own: FILE.jsonl}"
        )
    requests = task.construct_requests(doc, _context(task, doc))[: len(options)]
    context, asked = requests[0].args[0], [request.args[1] for request in requests]
    return Item(item, item, context, (asked.pop(gold), *asked))


def _context(task: Any, doc: dict[str, Any]) -> str:
    """Render description, examples and question; every item draws the same way in both arms."""
    num_shown = task.config.num_fewshot or 0
    task.set_fewshot_seed(EXAMPLES_SEED)
    gen_prefix = task.doc_to_prefix(doc)
    context = str(task.fewshot_context(doc, num_fewshot=num_shown, gen_prefix=gen_prefix))
    if not context:
        raise MeasurementError(f"an item of {task.task_name} has an empty context; mend the task")
    return context
