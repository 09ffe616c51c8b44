from variants.prose import MIN_WORDS, passages


def test_the_halves_never_meet() -> None:
    calibration, evaluation = passages("calibration"), passages("evaluation")
    assert set(calibration).isdisjoint(evaluation)
    assert set(calibration.values()).isdisjoint(evaluation.values())


def test_the_language_reference_only_judges() -> None:
    assert not [name for name in passages("calibration") if name.startswith("topic:")]
    assert len([name for name in passages("evaluation") if name.startswith("topic:")]) >= 20


def test_there_are_topics_enough_for_a_clustered_interval() -> None:
    assert len(passages("evaluation")) >= 50
    assert len(passages("calibration")) >= 50


def test_it_is_running_prose_in_a_stable_order() -> None:
    for half in ("calibration", "evaluation"):
        texts = passages(half)
        assert list(texts) == sorted(texts)
        assert all(len(text.split()) >= MIN_WORDS for text in texts.values())
        assert not [name for name, text in texts.items() if ">>>" in text or "\n" in text]


def test_a_known_topic_reads_as_the_reference_does() -> None:
    text = passages("evaluation")["topic:if"]
    assert text.startswith(
        "It selects exactly one of the suites by evaluating the expressions one by"
    )
