"""One file per engine, same slots."""
