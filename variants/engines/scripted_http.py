"""The HTTP/1.1 that the scripted endpoint needs: keep-alive, bodies and chunked replies."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came."""

    method: str
    path: str
    body: bytes

    def json(self) -> dict[str, object]:
        """Read the body as an object."""
        content = json.loads(self.body or b"{}")
        assert isinstance(content, dict), "the body must be a JSON object"
        return content


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole body, or parts that are sent as they come."""

    status: int = 200
    body: bytes = b""
    parts: AsyncGenerator[bytes, None] | None = None
    content_type: str = "application/json"

    @classmethod
    def of_json(cls, text: str, status: int = 200) -> Self:
        """Wrap JSON text."""
        return cls(status=status, body=text.encode())

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Wrap plain text."""
        return cls(body=text.encode(), content_type="text/plain; charset=utf-8")


Handler = Callable[[Call], Awaitable[Reply]]


async def serve(handler: Handler, port: int) -> None:
    """Serve until cancelled; print the address when ready."""

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await _serve_connection(handler, reader, writer)
        writer.close()

    server = await asyncio.start_server(connect, HOST, port)
    address = server.sockets[0].getsockname()
    print(f"http://{address[0]}:{address[1]}", flush=True)
    async with server:
        await server.serve_forever()


async def _serve_connection(
    handler: Handler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    while True:
        call = await _read_call(reader)
        reply = await handler(call)
        if reply.parts is None:
            writer.write(_head(reply, f"Content-Length: {len(reply.body)}") + reply.body)
            await writer.drain()
        elif not await _write_parts(reply, reader, writer):
            return


async def _read_call(reader: asyncio.StreamReader) -> Call:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Call(method, target.partition("?")[0], body)


def _head(reply: Reply, framing: str) -> bytes:
    return (
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\n"
        f"Content-Type: {reply.content_type}\r\n{framing}\r\n\r\n"
    ).encode()


async def _write_parts(
    reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """Write the parts while the client listens; tell whether it still did at the end."""
    assert reply.parts is not None
    writer.write(_head(reply, "Transfer-Encoding: chunked"))
    gone = asyncio.create_task(_wait_until_gone(reader))
    try:
        writing = asyncio.create_task(_write_chunks(reply.parts, writer))
        await asyncio.wait({gone, writing}, return_when=asyncio.FIRST_COMPLETED)
        is_complete = writing.done()
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
        return is_complete
    finally:
        gone.cancel()


async def _write_chunks(parts: AsyncGenerator[bytes, None], writer: asyncio.StreamWriter) -> None:
    async with contextlib.aclosing(parts):  # a client that left ends the request at once
        async for part in parts:
            writer.write(b"%x\r\n%b\r\n" % (len(part), part))
            await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _wait_until_gone(reader: asyncio.StreamReader) -> None:
    while not reader.at_eof():
        await asyncio.sleep(0.02)
