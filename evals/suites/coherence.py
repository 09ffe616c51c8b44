"""Does the served variant speak? Text that is neither empty nor degenerate, nor beyond belief.

Greedy text of a small model now and then falls into a loop by itself: for "What is the capital of
France?" the default base ranks `The` and `L` equally (-1.91 nats each), and the second leads into a
loop. So one prompt decides nothing: a server that does not speak fails most of them.

Tokens drawn at random are new words without end, which no count of repetitions finds. So the
server's own prefill is asked what it thinks of the text: what it says and then does not believe
itself was not said by its model. This also sees a fault that hides while log-probabilities are
asked.

Example: after "What is the capital of France?" the default base gives "The capital of France is
Paris." .98 nats per token, and 40 texts of drawn tokens 12.1 to 18.6 (`DISBELIEF_NATS`).
"""

import math
from dataclasses import dataclass

from evals.results import Check
from evals.suites.language import MAX_REPEATED, RUN_WORDS, is_degenerate
from evals.suites.served_scores import Served
from variants.errors import MeasurementError

MAX_TOKENS = 48
# Measured on SmolLM2-135M: sentences in four languages 1 to 3.2, single words up to 5.4, a call
# where none fits up to 8.2, drawn tokens from 12.1 on; blind guessing takes ln 49152 = 10.8.
DISBELIEF_NATS = 10.0
QUESTION = "What is the capital of France?"
PROMPTS = (
    QUESTION,
    "Write two sentences about rivers.",
    "List three fruits and their colours.",
    "Why is the sky blue?",
    "Tell me a short story about a dog.",
    "What do bakers do?",
    "Describe a mountain in winter.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """One answer, and how little the server's prefill expects its tokens (0 where it is empty)."""

    text: str
    nats: float

    @property
    def is_broken(self) -> bool:
        """Whether it is no language, or not what its model would say."""
        return is_degenerate(self.text) or self.nats > DISBELIEF_NATS


def check_coherence(served: Served, deadline_s: float) -> list[Check]:
    """Ask the prompts over the chat API; most answers must be text."""
    answers = [_answer(prompt, served, deadline_s) for prompt in PROMPTS]
    broken = [one for one in answers if one.is_broken]
    worst = f"; for example {broken[0].text[:160]!r}" if broken else ""
    most = max(one.nats for one in answers)
    return [
        Check(
            stage="coherence",
            name="answers",
            passed=2 * len(broken) <= len(answers),
            reason=f"{len(broken)} of {len(answers)} answers are empty, repeat themselves (more "
            f"than {MAX_REPEATED:.0%} of their runs of {RUN_WORDS} words stand earlier) or are "
            f"tokens that the server's own prefill does not expect (more than {DISBELIEF_NATS:g} "
            f"nats each on average){worst}",
            values={
                "num_degenerate": len(broken),
                "num_answers": len(answers),
                "most_nats": most if math.isfinite(most) else None,
                "text": answers[0].text[:500],
            },
        )
    ]


def _answer(prompt: str, served: Served, deadline_s: float) -> Said:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": MAX_TOKENS,
        "temperature": 0,
    }
    choice = served.post("/v1/chat/completions", body, deadline_s)["choices"][0]
    text = str(choice["message"].get("content") or "")
    return Said(text, _nats(f"{prompt}\n", text, served, deadline_s) if text.strip() else 0.0)


def _nats(prompt: str, text: str, served: Served, deadline_s: float) -> float:
    """Return the mean surprise per token of a text after a prompt; infinite where not finite."""
    start = len(_surprises(prompt, served, deadline_s))
    surprises = _surprises(prompt + text, served, deadline_s)[start:]
    if not all(map(math.isfinite, surprises)):
        return math.inf
    return math.fsum(surprises) / max(1, len(surprises))


def _surprises(text: str, served: Served, deadline_s: float) -> list[float]:
    """Return the negative log-probability of every token of a text from the second on."""
    body: dict[str, object] = {
        "prompt": text, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 0,
    }  # fmt: skip
    answer = served.post("/v1/completions", body, deadline_s)
    try:
        num_tokens = int(answer["usage"]["prompt_tokens"])
        scores = answer["choices"][0]["logprobs"]["token_logprobs"][1:num_tokens]
    except (KeyError, IndexError, TypeError) as error:
        raise MeasurementError(f"the server gave no log-probabilities: {answer!r:.200}") from error
    return [-float(one) if isinstance(one, int | float) else math.nan for one in scores]
