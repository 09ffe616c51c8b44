"""Stories: how the verbs make a qualification."""

from flows import settings

__all__ = ["settings"]
