"""The report's sections, in the order a reader meets them."""
