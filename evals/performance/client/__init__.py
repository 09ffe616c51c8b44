"""The client of a cell: it sends a plan on time, reads the answers, and stamps every read.

Each sender is a process of its own (`sender.py`), so that neither its parent's work nor another
sender's can show as latency of the server. `connection.py` reads and stamps; `stream.py` says what
was read; `exchange.py` makes a trace of one request; `sending.py` is the parent's side.
"""
