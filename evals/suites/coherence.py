"""Does the served variant speak? Text that is neither empty nor degenerate.

Degenerate: more than half of the generated words repeat an earlier run of three words. Greedy
text of a small model repeats itself a little; a broken one says one thing for ever.

Example: "the the the the the the": 4 runs of three words, 3 of them seen before: share .75.
"""

from evals.results import Check
from evals.suites.canaries import QUESTION
from evals.suites.identity import Served

RUN_WORDS = 3
MAX_REPEATED = 0.5
MAX_TOKENS = 64
PROMPTS = (
    QUESTION,
    "Write two sentences about rivers.",
    "List three fruits and their colours.",
)


def check_coherence(served: Served, deadline_s: float) -> list[Check]:
    """Ask the prompts over the chat API and look at each answer."""
    return [_check(index, prompt, served, deadline_s) for index, prompt in enumerate(PROMPTS)]


def _check(index: int, prompt: str, served: Served, deadline_s: float) -> Check:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": MAX_TOKENS,
        "temperature": 0,
    }
    choice = served.post("/v1/chat/completions", body, deadline_s)["choices"][0]
    text = str(choice["message"].get("content") or "")
    share = repeated_share(text)
    words = len(text.split())
    return Check(
        stage="coherence",
        name=f"prompt-{index}",
        passed=words > 0 and share <= MAX_REPEATED,
        reason=f"{words} words, {share:.0%} of its runs of {RUN_WORDS} words repeated "
        f"(limit {MAX_REPEATED:.0%}): {text[:160]!r}",
        values={"repeated_share": share, "num_words": words, "text": text[:500]},
    )


def repeated_share(text: str) -> float:
    """Return the share of three-word runs that stand earlier in the text."""
    words = text.split()
    runs = [tuple(words[start : start + RUN_WORDS]) for start in range(len(words) - RUN_WORDS + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
