"""One judge per kind of gate: from a gate and the evidence to a verdict."""
