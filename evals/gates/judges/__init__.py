"""One judge per kind of gate, each with `judge` and `is_measured`."""
