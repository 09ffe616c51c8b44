"""Ask one suite in writing and keep a paired record of every item."""

import time
from pathlib import Path

from evals.results import Sample, SuiteResult
from evals.suites import WRITTEN, Request
from evals.suites.assignment import Assignment
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer, Written
from evals.suites.written import Question, questions_sha256
from variants.audit.companions import companion_digests
from variants.contents import digest_weights
from variants.fingerprint import fingerprint
from variants.progress import Progress, Tell, silent


def ask(assignment: Assignment, folder: Path, writer: Writer, tell: Tell = silent) -> SuiteResult:
    """Issue the suite's questions to a served arm; every one is in the result."""
    suite = WRITTEN[assignment.suite]
    request = Request(assignment.num_items, assignment.seed, tokenizer_of(folder), assignment.files)
    drawn = suite.items(request)
    questions = drawn[: assignment.num_asked]
    started = time.monotonic()
    progress = Progress(tell, f"{suite.id}, {assignment.words}: {{}} of {{}} items")
    written = []
    for number, one in enumerate(writer.write(questions), start=1):
        written.append(one)
        progress.at(number, len(questions))
    return SuiteResult(
        suite=suite.id,
        arm=assignment.arm,
        path=assignment.path,
        chance=suite.chance,
        num_issued=len(questions),
        samples=tuple(
            _sample(question, writer.prompt(question), one)
            for question, one in zip(questions, written, strict=True)
        ),
        items_sha256=questions_sha256(drawn),
        rule=suite.rule,
        cluster_key=suite.cluster_key,
        rewards_silence=suite.rewards_silence,
        weights_sha256=digest_weights(folder),
        conditions=companion_digests(folder),
        seconds=time.monotonic() - started,
        output_tokens=sum(one.num_tokens for one in written),
    )


def _sample(question: Question, prompt: list[int], written: Written) -> Sample:
    sent = fingerprint([prompt, question.max_tokens, question.schema, question.tools])
    if written.answer is None:
        return Sample(
            item=question.id, cluster=question.cluster, prompt_sha256=sent, is_correct=None
        )
    mark = question.mark(written.answer)
    error = "refused" if written.answer.refusal else mark.error
    return Sample(
        item=question.id,
        cluster=question.cluster,
        prompt_sha256=sent,
        is_correct=mark.is_correct,
        is_degenerate=mark.is_degenerate,
        is_cut=written.answer.is_cut,
        error=error,
    )
