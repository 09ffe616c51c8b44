"""Opens connections before the start, so that no request pays for one."""

import asyncio

from evals.performance.client.connection import Connection
from evals.performance.client.pool import Pool
from variants.errors import MeasurementError

WARM_TIMEOUT_S = 10.0


class NotReady(MeasurementError):
    """The endpoint does not answer before the start."""


class _Greeting:
    """Waits for the answer to one request, whatever it holds."""

    def __init__(self) -> None:
        self._status = 0
        self.answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def on_head(self, status: int, read_ns: int) -> None:
        self._status = status

    def on_body(self, read_ns: int, part: bytes) -> None:
        pass

    def on_end(self) -> None:
        self.answered.set_result(self._status)

    def on_lost(self, words: str) -> None:
        self.answered.set_exception(ConnectionError(words))


async def warm(pool: Pool, request: bytes, num_connections: int) -> None:
    """Open so many connections and ask once on each.

    Raises:
        NotReady: the endpoint does not answer, or not with 200.
    """
    try:
        async with asyncio.timeout(WARM_TIMEOUT_S):
            connections = [await pool.open() for _ in range(num_connections)]
            statuses = set(await asyncio.gather(*(_greet(one, request) for one in connections)))
    except (OSError, TimeoutError) as error:
        raise NotReady(
            f"the endpoint does not answer /health ({type(error).__name__}: {error}); "
            "look at the engine's log"
        ) from error
    if statuses - {200}:
        raise NotReady(f"/health answered {sorted(statuses)}; look at the engine's log")


async def _greet(connection: Connection, request: bytes) -> int:
    greeting = _Greeting()
    connection.ask(request, greeting)
    return await greeting.answered
