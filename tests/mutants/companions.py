"""Faults in the files beside the weights: another chat template, no BOS, shuffled token ids.

Cases of the field: unsloth #2744 (a template lost), lm-eval #2676 (BOS missing in one arm:
arc_easy .26 instead of .85), after research/evaluation.md section 10. The weights stay as they
were, so that nothing but the audit can tell.
"""

import json
import random
from pathlib import Path
from typing import Any

TEMPLATES = {
    "of instructions": "{% for message in messages %}[INST] {{ message['content'] }} [/INST]"
    "{% endfor %}",
    "of headings": "{% for message in messages %}### {{ message['role'] }}\n"
    "{{ message['content'] }}\n\n{% endfor %}{% if add_generation_prompt %}### assistant\n"
    "{% endif %}",
    "of bare text": "{% for message in messages %}{{ message['content'] }}\n{% endfor %}",
}
NUM_SHUFFLED = 1000


def swap_template(folder: Path, draws: random.Random) -> str:
    """Write another model's kind of chat template."""
    name = draws.choice(sorted(TEMPLATES))
    (folder / "chat_template.jinja").write_text(TEMPLATES[name], encoding="utf-8")
    return f"a chat template {name}"


def drop_bos(folder: Path, draws: random.Random) -> str:
    """Take the token that begins a text out of the tokenizer's settings, or name another."""
    path = folder / "tokenizer_config.json"
    settings: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    was = settings.pop("bos_token")
    settings.pop("bos_token_id", None)
    if is_replaced := draws.random() < 0.5:
        settings["bos_token"] = settings["eos_token"]
    path.write_text(json.dumps(settings), encoding="utf-8")
    return f"BOS is {settings['bos_token']} instead of {was}" if is_replaced else f"no BOS {was}"


def shuffle_ids(folder: Path, draws: random.Random) -> str:
    """Pass the ids of ordinary tokens on in a ring, so that every one drawn has another's."""
    path = folder / "tokenizer.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    vocabulary: dict[str, int] = content["model"]["vocab"]
    special = {token["content"] for token in content["added_tokens"]}
    ordinary = sorted(token for token in vocabulary if token not in special)
    drawn = draws.sample(ordinary, min(NUM_SHUFFLED, len(ordinary)))
    ids = [vocabulary[token] for token in drawn]
    vocabulary.update(zip(drawn, [*ids[1:], ids[0]], strict=True))
    path.write_text(json.dumps(content), encoding="utf-8")
    return f"the ids of {len(drawn)} tokens passed on in a ring"
