"""Policy, verdict and decision: how evidence becomes a promotion."""
