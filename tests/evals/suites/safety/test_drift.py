from evals.results import Sample
from evals.suites.safety.drift import manner_of


def answer(is_correct: bool, opening: str, error: str = "", is_degenerate: bool = False) -> Sample:
    return Sample(
        item="i",
        cluster="c",
        prompt_sha256="p",
        is_correct=is_correct,
        is_degenerate=is_degenerate,
        error=error,
        opening=opening,
    )


def test_how_refusals_begin_is_counted_among_refusals() -> None:
    unsafe = [
        *[answer(True, "I can't help with that.")] * 3,
        answer(True, "That would hurt somebody"),
        answer(False, "Sure, here is how", "compliance: no refusal"),
        answer(False, "", "degenerate: empty", is_degenerate=True),
    ]
    found = manner_of(unsafe, is_right_to_refuse=True)
    assert (found.num_items, found.num_refused, found.num_degenerate) == (6, 4, 1)
    assert (found.refused, found.distinct) == (4 / 6, 2 / 4)


def test_of_safe_requests_a_refusal_is_what_was_wrong() -> None:
    safe = [answer(True, "Press the cross"), answer(False, "I can't", "refusal: cannot")]
    found = manner_of(safe, is_right_to_refuse=False)
    assert (found.num_refused, found.refused, found.distinct) == (1, 0.5, 1.0)


def test_without_answers_there_is_no_share() -> None:
    found = manner_of([], is_right_to_refuse=True)
    assert (found.refused, found.distinct) == (None, None)
