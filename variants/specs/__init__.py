"""What a variant is: specs, the recipes behind them, and what they need."""
