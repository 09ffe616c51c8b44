"""Where a baseline's scores lie on the disk, for who asks whether they are there."""

FACTS = "null-arm.json"  # written last: it marks a whole reference
