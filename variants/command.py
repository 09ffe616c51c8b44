"""How a command of ours ends: with its own exit code, or with one line on what went wrong."""

import os
import sys
from collections.abc import Callable

from pydantic import ValidationError

from variants.errors import QualificationError

# What a file system, a number or a deeply nested file can do to any command.
TOLD = (QualificationError, OSError, ValueError, OverflowError, RecursionError)


def ended(command: Callable[[], int], error_code: int) -> int:
    """Run a command; tell an error in one line, and bear a reader that went away."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `... | head`: nobody reads on, and Python would complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except TOLD as error:
        print(f"error: {in_one_line(error)}", file=sys.stderr)
        return error_code


def in_one_line(error: Exception) -> str:
    """Say an error in one line; of a validation, each place and what it asks."""
    if isinstance(error, ValidationError):
        return "; ".join(
            f"{'.'.join(map(str, one['loc'])) or error.title}: {one['msg']}"
            for one in error.errors(include_url=False)
        )
    name = "" if isinstance(error, QualificationError) else f"{type(error).__name__}: "
    return f"{name}{error}"
