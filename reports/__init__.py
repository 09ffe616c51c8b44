"""What is kept and told."""
