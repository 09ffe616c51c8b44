"""Ask one suite in writing and keep a paired record of every item."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from evals.results import REFUSED, Sample, SuiteResult
from evals.suites import Request
from evals.suites.assignment import Assignment
from evals.suites.blocks import Look, block_ends, go_on
from evals.suites.naming import suite_of
from evals.suites.own_code import code_sha256
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer, Written
from evals.suites.written import Question, WrittenSuite, questions_sha256
from variants.audit.companions import companion_digests
from variants.errors import MeasurementError
from variants.fingerprint import fingerprint
from variants.kept.contents import digest_weights
from variants.running.progress import Progress, Tell, silent

OPENING = 40  # characters
SMALLEST_BLOCK = 32  # items: with none right, at most 8.9 % can be (Clopper-Pearson)
MAX_MISSING = 0.01  # of a baseline's answers, as the gates have it


def ask(
    assignment: Assignment, folder: Path, writer: Writer, tell: Tell = silent, look: Look = go_on
) -> SuiteResult:
    """Issue the suite's questions to a served arm, until they end or a look says it is enough.

    Every question that was issued is in the result; one that was in flight at the stop was not.

    Raises:
        MeasurementError: the server brings nothing back; or the baseline leaves more than 1 % out,
            which would hold every variant of the run and could never be mended.
    """
    suite = _suite(assignment)
    request = Request(
        assignment.num_items,
        assignment.seed,
        tokenizer_of(folder),
        assignment.files,
        assignment.window,
    )
    drawn = suite.items(request)
    planned = drawn[: assignment.num_asked]
    if not planned:
        raise MeasurementError(f"{suite.id} draws no question here; ask for more items")
    found = _unasked(assignment, folder, drawn, len(planned))
    ends = block_ends(len(planned), SMALLEST_BLOCK)
    progress = Progress(tell, f"{suite.id}, {assignment.words}: {{}} of {{}} items")
    started, written = time.monotonic(), list[Written]()
    with closing(writer.write(planned)) as answers:  # a stop calls off what has not begun
        for number, one in enumerate(answers, start=1):
            written.append(one)
            progress.at(number, len(planned))
            if number not in ends:
                continue
            asked = planned[:number]
            found = _with_answers(found, asked, writer, written, time.monotonic() - started)
            if number < len(planned) and (stopped := look(found)):
                return found.model_copy(update={"stopped": stopped})
    return found


def _suite(assignment: Assignment) -> WrittenSuite:
    suite = suite_of(assignment.suite)
    assert isinstance(suite, WrittenSuite), "a suite of choices is scored, not asked"
    return suite


def _unasked(
    assignment: Assignment, folder: Path, drawn: tuple[Question, ...], num_planned: int
) -> SuiteResult:
    suite = _suite(assignment)
    return SuiteResult(
        suite=suite.id,
        arm=assignment.arm,
        path=assignment.path,
        chance=suite.chance,
        num_issued=0,
        num_planned=num_planned,
        samples=(),
        items_sha256=questions_sha256(drawn),
        rule=suite.rule,
        cluster_key=suite.cluster_key,
        rewards_silence=suite.rewards_silence,
        axis=suite.axis,
        weights_sha256=digest_weights(folder),
        conditions=companion_digests(folder) | {"marking": code_sha256()},
        seconds=0.0,
        output_tokens=0,
    )


def _with_answers(
    found: SuiteResult,
    asked: Sequence[Question],
    writer: Writer,
    written: Sequence[Written],
    seconds: float,
) -> SuiteResult:
    """Add what has been written since the last look."""
    if found.arm == "baseline":
        _require_answers(found, written)
    new = range(found.num_issued, len(written))
    samples = [_sample(asked[at], writer.prompt(asked[at]), written[at]) for at in new]
    return found.model_copy(
        update={
            "samples": (*found.samples, *samples),
            "num_issued": len(written),
            "seconds": seconds,
            "output_tokens": sum(one.num_tokens for one in written),
        }
    )


def _require_answers(found: SuiteResult, written: Sequence[Written]) -> None:
    missing = [one.why for one in written if one.answer is None]
    if len(missing) > max(1, MAX_MISSING * (found.num_planned or 0)):
        raise MeasurementError(
            f"the baseline left {len(missing)} of {len(written)} questions of {found.suite} "
            f"without an answer (last: {missing[-1]}); see the engine's log, and resume the run"
        )


def _sample(question: Question, prompt: list[int], written: Written) -> Sample:
    sent = fingerprint([prompt, question.max_tokens, question.schema, question.tools])
    if written.answer is None:
        return Sample(
            item=question.id,
            cluster=question.cluster,
            level=question.level,
            prompt_sha256=sent,
            is_correct=None,
        )
    mark = question.mark(written.answer)
    error = REFUSED if written.answer.refusal else mark.error
    return Sample(
        item=question.id,
        cluster=question.cluster,
        level=question.level,
        prompt_sha256=sent,
        is_correct=mark.is_correct,
        is_degenerate=mark.is_degenerate,
        is_cut=written.answer.is_cut,
        error=error,
        opening=written.answer.text.strip()[:OPENING],
    )
