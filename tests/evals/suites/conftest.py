import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.variants.engines.scripted_adapter import ScriptedAdapter
from variants.engines.adapter import Launch
from variants.engines.endpoint import Endpoint, serve
from variants.engines.process import free_port
from variants.specs.spec import Serving

Start = Callable[..., Endpoint]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Start]:
    """Serve scripted endpoints; each takes the fields of a script."""
    with ExitStack() as stack:

        def start(**script: object) -> Endpoint:
            launch = Launch(tmp_path, Serving(), free_port(), tmp_path / "cache")
            adapter = ScriptedAdapter(script=script)
            log = tmp_path / "engine.log"
            return stack.enter_context(serve(adapter, Path(sys.executable), launch, log, 20.0))

        yield start
