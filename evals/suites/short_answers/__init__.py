"""Short answers: small questions whose answer a program knows, written out and compared."""
