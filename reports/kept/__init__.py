"""What a run leaves beside evidence, and how it is found again."""
