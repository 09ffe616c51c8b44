"""How figures, reasons and policies are said to a person."""
