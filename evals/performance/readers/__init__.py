"""What is read beside a cell: the engine's processes, and its accelerators where there are any."""
