"""How a variant is judged."""
