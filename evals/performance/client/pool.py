"""Connections to one endpoint: opened before the start, kept alive, and never limited in number.

A limit would queue requests in the client and show as latency of the server (aiohttp's default of
100: gpustack pull request #2324). The connection used last is used first, so that those beyond
need grow old and are closed.
"""

import asyncio
import ssl
import time
from urllib.parse import urlsplit

from evals.performance.client.connection import Connection, Inbox

KEEP_ALIVE_NS = 4_000_000_000  # below the 5 s after which uvicorn, and so vLLM, closes an idle one


class Pool:
    """Connections to one address."""

    def __init__(self, base_url: str) -> None:
        """Keep the address; nothing is opened yet. Needs a running loop."""
        address = urlsplit(base_url)
        self._loop = asyncio.get_running_loop()
        self._host = address.hostname or ""
        self._port = address.port or (443 if address.scheme == "https" else 80)
        self._tls = ssl.create_default_context() if address.scheme == "https" else None
        self._inbox = Inbox(self._loop)
        self._idle: list[Connection] = []
        self._all: set[Connection] = set()

    def take(self) -> Connection | None:
        """Give an open idle connection, or None."""
        oldest_ns = time.monotonic_ns() - KEEP_ALIVE_NS
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open and connection.idle_since_ns > oldest_ns:
                return connection
            self._drop(connection)
        return None

    async def open(self) -> Connection:
        """Open a new connection.

        Raises:
            OSError: nobody listens there.
        """
        _, connection = await self._loop.create_connection(
            lambda: Connection(self._inbox, self._idle.append),
            self._host,
            self._port,
            ssl=self._tls,
        )
        self._all = {one for one in self._all if one.is_open} | {connection}
        return connection

    def close(self) -> None:
        """Close everything."""
        for connection in self._all:
            connection.abort()
        self._idle.clear()
        self._all.clear()

    def _drop(self, connection: Connection) -> None:
        connection.abort()
        self._all.discard(connection)
