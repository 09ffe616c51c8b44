"""A served variant: started, ready, addressable, and stopped with nothing left over."""

import http.client
import json
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from variants.engines.adapter import EngineAdapter, Launch, LogFacts
from variants.engines.process import EngineProcess, require_free
from variants.errors import EngineError

POLL_S = 0.25


@dataclass(slots=True)
class Endpoint:
    """An engine that answers at `url`."""

    url: str
    adapter: EngineAdapter
    launch: Launch
    process: EngineProcess
    command: tuple[str, ...]
    ready_s: float

    @property
    def served_name(self) -> str:
        """The model name that a variant's requests ask for: its adapter's, where it has one."""
        return self.launch.serving.served_name

    def get(self, path: str, timeout_s: float = 10.0) -> Any:
        """Return the JSON of a GET.

        Raises:
            EngineError: no answer, or an answer other than 2xx.
        """
        return self._call(urllib.request.Request(f"{self.url}{path}"), timeout_s)

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        """Return the JSON of a POST.

        Raises:
            EngineError: no answer within `timeout_s`, or an answer other than 2xx.
        """
        request = urllib.request.Request(
            f"{self.url}{path}",
            data=json.dumps({"model": self.served_name} | body).encode(),
            headers={"content-type": "application/json"},
        )
        return self._call(request, timeout_s)

    def order(self, path: str, body: dict[str, object], timeout_s: float) -> str:
        """Return the plain words that answer a POST which asks no model for anything.

        Raises:
            EngineError: no answer within `timeout_s`, or an answer other than 2xx.
        """
        content, headers = json.dumps(body).encode(), {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}{path}", data=content, headers=headers)
        return self._read(request, timeout_s).decode(errors="replace")

    def _call(self, request: urllib.request.Request, timeout_s: float) -> Any:
        text = self._read(request, timeout_s)
        return json.loads(text) if text else None

    def _read(self, request: urllib.request.Request, timeout_s: float) -> bytes:
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            words = error.read().decode(errors="replace")[:500]
            raise EngineError(f"{request.full_url} answered {error.code}: {words}") from error
        except (OSError, http.client.HTTPException) as error:  # the latter: died in mid-answer
            raise EngineError(
                f"{request.full_url} gave no answer within {timeout_s:g} s ({error}); "
                f"{self._state()}"
            ) from error

    def _state(self) -> str:
        alive = "the engine still runs" if self.process.is_alive else "the engine is dead"
        words = self.facts().last_error
        return f"{alive}{f'; its last error: {words}' if words else ''}; log {self.process.log}"

    def facts(self) -> LogFacts:
        """Read the engine's log as it stands now."""
        return self.adapter.read_log(self.process.log.read_text(errors="replace"))

    def reported_config(self) -> dict[str, str]:
        """Ask the engine what it runs."""
        # its first answer collects the whole environment: seconds on a busy machine
        return self.adapter.read_config(self.get(self.adapter.config_path, timeout_s=60.0))

    def reported_kv_cache_bytes(self) -> int | None:
        """Ask the engine how large its KV cache is; None if it does not say."""
        value = self.reported_config().get("kv_cache_bytes", "")
        return int(value) if value.isdigit() else None

    def reset_cache(self) -> None:
        """Empty the prefix cache, so that no cell profits from another."""
        self._call(
            urllib.request.Request(f"{self.url}{self.adapter.reset_cache_path}", method="POST"),
            10.0,
        )


@contextmanager
def serve(
    adapter: EngineAdapter, python: Path, launch: Launch, log: Path, deadline_s: float
) -> Iterator[Endpoint]:
    """Start an engine, wait until it is ready, and stop all of it at the end.

    Raises:
        EngineError: its port is taken; it refused or died (with its own last error line); or was
            not ready in time.
    """
    require_free(launch.port)  # another server there would be taken for this engine
    command = adapter.command(python, launch)
    launch.cache.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    started = time.monotonic()
    process = EngineProcess.start(command, adapter.variables(launch), log)
    endpoint = Endpoint(
        f"http://127.0.0.1:{launch.port}", adapter, launch, process, tuple(command), 0.0
    )
    try:
        _await_ready(endpoint, started + deadline_s)
        yield replace(endpoint, ready_s=time.monotonic() - started)
    finally:
        process.stop()


def forget_compile_cache(cache: Path) -> None:
    """Make the next start a cold one."""
    shutil.rmtree(cache, ignore_errors=True)


def _await_ready(endpoint: Endpoint, deadline: float) -> None:
    while not _is_ready(endpoint):
        if not endpoint.process.is_alive:
            words = endpoint.facts().last_error or "it said no error"
            raise EngineError(
                f"{endpoint.adapter.name} {endpoint.adapter.version} refused this variant: {words} "
                f"(log {endpoint.process.log})"
            )
        if time.monotonic() > deadline:
            raise EngineError(
                f"{endpoint.adapter.name} was not ready within its start deadline; "
                f"raise start_deadline_s or read its log {endpoint.process.log}"
            )
        time.sleep(POLL_S)


def _is_ready(endpoint: Endpoint) -> bool:
    try:
        with urllib.request.urlopen(f"{endpoint.url}{endpoint.adapter.ready_path}", timeout=5):
            return True
    except (OSError, http.client.HTTPException):
        return False
