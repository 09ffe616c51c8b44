"""What a variant is, how it is made and how it is served."""
