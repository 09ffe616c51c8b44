"""Network of the sender: every read from a socket leaves its time behind (adapter: httpcore).

httpcore is the transport inside httpx; used directly it takes a network backend of ours, so the
time is taken where the bytes arrive, once per read, however many chunks the read holds. A read runs
in the task of its request, so a context variable carries the time to it.
"""

import ssl
import time
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

import httpcore

READ_NS: ContextVar[int] = ContextVar("READ_NS", default=0)
SocketOptions = Iterable[Any]
KEEP_ALIVE_S = 4.0  # below the 5 s after which uvicorn, and so vLLM, closes an idle connection


def open_pool() -> httpcore.AsyncConnectionPool:
    """Open a pool without a limit of connections: a limit would queue requests in the client."""
    return httpcore.AsyncConnectionPool(
        max_connections=None,
        max_keepalive_connections=None,
        keepalive_expiry=KEEP_ALIVE_S,
        network_backend=StampedBackend(),
    )


class StampedStream(httpcore.AsyncNetworkStream):
    """A connection whose reads set READ_NS."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read, then take the time."""
        received = await self._inner.read(max_bytes, timeout)
        READ_NS.set(time.monotonic_ns())
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Pass on."""
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        """Pass on."""
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Pass on; the encrypted connection is stamped too."""
        return StampedStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        """Pass on."""
        return self._inner.get_extra_info(info)


class StampedBackend(httpcore.AsyncNetworkBackend):
    """Opens stamped connections."""

    def __init__(self) -> None:
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect and wrap."""
        return StampedStream(
            await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        )

    async def sleep(self, seconds: float) -> None:
        """Pass on."""
        await self._inner.sleep(seconds)
