"""Does the served variant speak? Text that is neither empty nor degenerate.

Greedy text of a small model now and then falls into a loop by itself: for "What is the capital of
France?" the default base ranks `The` and `L` equally (-1.91 nats each), and the second leads into a
loop. So one prompt decides nothing: a server that does not speak fails most of them.
"""

from evals.results import Check
from evals.suites.canaries import QUESTION
from evals.suites.identity import Served
from evals.suites.language import MAX_REPEATED, RUN_WORDS, is_degenerate

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
