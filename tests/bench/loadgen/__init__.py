"""Our load generator beside its peers, against an endpoint whose own send times are the truth."""
