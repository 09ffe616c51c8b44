"""The HTTP/1.1 server of the scripted endpoint: it writes what is due, when it is due.

An answer is a timeline of writes. All answers share one heap of due times and one exact timer, so
that 50,000 writes a second leave on time from one core, and the time at which each really left is
kept as the truth that a client is compared with.
"""

import heapq
import os
import select
import socket
import time
from collections import deque
from collections.abc import Callable

from variants.engines.scripted.connection import Connection
from variants.engines.scripted.playing import Playing, Truth
from variants.engines.scripted.wire import Call, Reply
from variants.running.timer_file import TimerFile

HOST = "127.0.0.1"
BACKLOG = 1024
SLICE = 32  # writes; about .3 ms


class Server:
    """Accepts, answers, and plays timelines until the process ends."""

    def __init__(
        self, answer: Callable[[Call], Reply], num_slots: int | None, accept_delay_ms: float
    ) -> None:
        """Say who answers, how many timelines run at once, and how slowly callers are let in."""
        self._answer = answer
        self._num_free = num_slots or 1 << 30
        self._accept_delay_s = accept_delay_ms / 1e3
        self._queue: deque[Playing] = deque()
        self._due: list[tuple[int, int, Playing]] = []
        self._poll = select.epoll()
        self._timer = TimerFile()
        self._connections: dict[int, Connection] = {}
        self._playing: dict[Connection, Playing] = {}
        self._calls: deque[tuple[Connection, int, Call]] = deque()
        self._num_played = 0
        self._num_due = 0
        self.truth = Truth()

    def run(self, port: int) -> None:
        """Serve until killed; print the address when ready."""
        listener = socket.create_server((HOST, port), backlog=BACKLOG)
        listener.setblocking(False)
        for file in (listener.fileno(), self._timer.fileno()):
            self._poll.register(file, select.EPOLLIN)
        print("http://{}:{}".format(*listener.getsockname()), flush=True)
        while True:
            for file, _ in self._poll.poll(0 if self._calls or self._is_late() else None):
                if file == listener.fileno():
                    self._accept(listener)
                elif file == self._timer.fileno():
                    self._timer.clear()
                else:
                    self._read(self._connections[file])
            if self._calls:  # one at a time: what arrives meanwhile is stamped before the next
                self._reply(*self._calls.popleft())
            self._write_what_is_due()

    def _accept(self, listener: socket.socket) -> None:
        if self._accept_delay_s:
            time.sleep(self._accept_delay_s)
        try:
            opened, _ = listener.accept()
        except BlockingIOError:
            return
        opened.setblocking(False)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections[opened.fileno()] = Connection(opened)
        self._poll.register(opened.fileno(), select.EPOLLIN)

    def _read(self, connection: Connection) -> None:
        """Read and stamp."""
        data, read_ns = connection.read(), time.monotonic_ns()
        if not data:
            self._close(connection)
        for call in connection.feed(data):
            self._calls.append((connection, read_ns, call))

    def _reply(self, connection: Connection, read_ns: int, call: Call) -> None:
        if connection.socket.fileno() < 0:
            return  # its caller is gone
        reply = self._answer(call)
        connection.send(reply.head() + reply.body)
        if reply.timeline is None:
            return
        self._num_played += 1
        self.truth.arrivals.extend((self._num_played, read_ns))
        playing = Playing(self._num_played, connection, reply)
        self._playing[connection] = playing
        if self._num_free:
            self._begin(playing, read_ns)
        else:
            self._queue.append(playing)

    def _begin(self, playing: Playing, at_ns: int) -> None:
        self._num_free -= 1
        playing.begin(at_ns)
        self._plan_next(playing)

    def _plan_next(self, playing: Playing) -> None:
        write = next(playing.rest, None)
        if write is None:
            self._end(playing)
            return
        playing.next = write
        self._num_due += 1
        due_ns = playing.began_ns + write.after_ns
        if not self._due or due_ns < self._due[0][0]:
            self._timer.set(due_ns)
        heapq.heappush(self._due, (due_ns, self._num_due, playing))

    def _is_late(self) -> bool:
        return bool(self._due) and self._due[0][0] <= time.monotonic_ns()

    def _write_what_is_due(self) -> None:
        for _ in range(SLICE):  # and then look who has asked meanwhile
            if not self._is_late():
                break
            due_ns, _, playing = heapq.heappop(self._due)
            if playing.is_over:
                continue
            write, sent_ns = playing.next, time.monotonic_ns()
            playing.write()
            self.truth.writes.extend((playing.number, due_ns, sent_ns, write.num_tokens))
            if write.then == "die":
                os._exit(1)
            if write.then == "reset":
                playing.connection.reset()
                self._close(playing.connection)
            else:
                self._plan_next(playing)
        if self._due:
            self._timer.set(self._due[0][0])

    def _end(self, playing: Playing) -> None:
        """Free the slot of an answer that is over, or was given up by its caller."""
        if playing.is_over:
            return
        playing.end()
        del self._playing[playing.connection]
        if not playing.has_begun:
            self._queue.remove(playing)
            return
        self._num_free += 1
        if self._queue:
            self._begin(self._queue.popleft(), time.monotonic_ns())

    def _close(self, connection: Connection) -> None:
        if connection in self._playing:
            self._end(self._playing[connection])
        self._poll.unregister(connection.socket.fileno())
        del self._connections[connection.socket.fileno()]
        connection.socket.close()
