"""What speed cannot show: one file per suite."""
