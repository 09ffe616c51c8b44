"""Does the served variant speak? Text that is neither empty nor degenerate.

Degenerate: more than half of the runs of three words stand earlier in the text. Greedy text of a
small model now and then falls into a loop by itself: for "What is the capital of France?" the
default base ranks `The` and `L` equally (-1.91 nats each), and the second leads into a loop. So one
prompt decides nothing: a server that does not speak fails most of them.

Example: "the the the the the the": 4 runs of three words, 3 of them seen before: share .75.
"""

from evals.results import Check
from evals.suites.canaries import QUESTION
from evals.suites.identity import Served

RUN_WORDS = 3
MAX_REPEATED = 0.5
MAX_TOKENS = 48
PROMPTS = (
    QUESTION,
    "Write two sentences about rivers.",
    "List three fruits and their colours.",
    "Why is the sky blue?",
    "Tell me a short story about a dog.",
    "What do bakers do?",
    "Describe a mountain in winter.",
)


def check_coherence(served: Served, deadline_s: float) -> list[Check]:
    """Ask the prompts over the chat API; most answers must be text."""
    texts = [_answer(prompt, served, deadline_s) for prompt in PROMPTS]
    broken = [text for text in texts if is_degenerate(text)]
    worst = f"; for example {broken[0][:160]!r}" if broken else ""
    return [
        Check(
            stage="coherence",
            name="answers",
            passed=2 * len(broken) <= len(texts),
            reason=f"{len(broken)} of {len(texts)} answers are empty or repeat themselves (more "
            f"than {MAX_REPEATED:.0%} of their runs of {RUN_WORDS} words stand earlier){worst}",
            values={
                "num_degenerate": len(broken),
                "num_answers": len(texts),
                "text": texts[0][:500],
            },
        )
    ]


def _answer(prompt: str, served: Served, deadline_s: float) -> str:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": MAX_TOKENS,
        "temperature": 0,
    }
    choice = served.post("/v1/chat/completions", body, deadline_s)["choices"][0]
    return str(choice["message"].get("content") or "")


def is_degenerate(text: str) -> bool:
    """Whether a text is empty or mostly repeats itself."""
    return not text.split() or repeated_share(text) > MAX_REPEATED


def repeated_share(text: str) -> float:
    """Return the share of three-word runs that stand earlier in the text."""
    words = text.split()
    runs = [tuple(words[start : start + RUN_WORDS]) for start in range(len(words) - RUN_WORDS + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
