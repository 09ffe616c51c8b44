"""Long work of ours: in a process of its own, measured, and heard of now and then."""
