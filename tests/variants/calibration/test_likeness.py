import pytest

from variants.calibration import Likeness, Request, Traffic, compare, describe
from variants.calibration.use import use_of
from variants.specs.spec import Calibration

TOOL = ({"type": "function"},)


def chat(words: str, is_tool: bool = False) -> Request:
    message = {"role": "user", "content": words}
    return Request(messages=(message,), tools=TOOL if is_tool else ())


def test_figures_of_four_requests() -> None:
    requests = [chat("a" * 100), chat("b" * 200, is_tool=True), chat("в" * 400), Request(text="c")]
    seen = describe(requests, lambda one: len(one.words), sequence_tokens=256)
    assert seen.num_requests == 4
    assert seen.median_tokens == 150  # of 1, 100, 200 and 256, all that a sequence holds
    assert seen.tool_share == 0.25
    assert seen.chat_share == 0.75
    assert seen.latin_share == pytest.approx(301 / 701)  # 400 letters are Cyrillic


def test_numbers_alone_have_no_script() -> None:
    seen = describe([Request(text="12")], lambda _: 1, 16)
    assert seen.latin_share is None
    assert seen.p90_tokens == 1


SEEN = Likeness(
    num_requests=10, median_tokens=200, p90_tokens=256, tool_share=0.0, chat_share=0, latin_share=1
)


@pytest.mark.parametrize(
    ("traffic", "told"),
    [
        (Traffic(), []),
        (Traffic(median_tokens=100, p90_tokens=512, tool_share=0.2), []),
        (Traffic(median_tokens=96), ["median length 200 tokens, traffic 96"]),
        (Traffic(p90_tokens=520), ["length at the 90th percentile 256 tokens, traffic 520"]),
        (Traffic(tool_share=0.5), ["share of requests with tools 0%, traffic 50%"]),
        (Traffic(latin_share=0.1), ["share of Latin letters 100%, traffic 10%"]),
    ],
)
def test_only_what_is_declared_is_compared(traffic: Traffic, told: list[str]) -> None:
    assert compare(SEEN, traffic) == told


def test_a_use_tells_the_draw_and_its_set() -> None:
    used = use_of(Calibration(corpus="stdlib-chat", seed=3), SEEN)
    assert (used.corpus, used.seed, used.licence) == ("stdlib-chat", 3, "PSF-2.0")
    assert used.template.startswith("the base's chat template")
