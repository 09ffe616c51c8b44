"""Is the chat template harmless, and does it render?

A template is a program that an engine runs for every request. It is parsed here, and looked through
for what reaches out of the sandbox (names that begin with two underscores, includes and imports);
then it is rendered in a process of its own with bounded time and memory, in the sandbox that
transformers uses.

Source: CVE-2024-34359 (a template in a GGUF file ran code through `__class__`); jinja2's sandbox.
"""

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from variants.audit.companions import read_templates
from variants.audit.finding import AuditFinding, judge

CPU_SECONDS, WALL_SECONDS = 5, 600  # a busy machine may take long to give 5 s
MEMORY_BYTES = 1 << 30
ROOT = Path(__file__).resolve().parents[2]


def check_template_safety(folder: Path) -> AuditFinding:
    """Look through every template of a folder, and render it."""
    try:
        templates = read_templates(folder)
    except (OSError, ValueError) as problem:
        return judge("template safety", [f"the chat template cannot be read ({problem})"], "")
    problems = [
        f"{name or 'the chat template'} {told}"
        for name, text in templates.items()
        if (told := look(text))
    ]
    praise = f"{len(templates)} templates reach for nothing and end" if templates else "no template"
    return judge("template safety", problems, praise)


@lru_cache(maxsize=64)
def look(text: str) -> str:
    """Say what is wrong with a template; '' is nothing."""
    limits = {"cpu_seconds": CPU_SECONDS, "memory_bytes": MEMORY_BYTES}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "variants.audit.rendering"],
            input=json.dumps({"template": text, **limits}).encode(),
            capture_output=True,
            check=False,
            cwd=ROOT,
            timeout=WALL_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {WALL_SECONDS} s"
    if done.returncode == 0:
        return done.stdout.decode()
    # a signal: the limit on processor time; anything else: memory, or the interpreter gave up
    told = f"exit code {done.returncode}, {done.stderr.decode(errors='replace')[-200:].strip()}"
    return f"did not render within {CPU_SECONDS} s and {MEMORY_BYTES:,} bytes ({told})"
