"""One file per way of changing a model."""
