"""Safety: what must be refused, what must not be, and how an answer is classed."""
