"""What is sent: arrivals, prompts and callers of each cell, all drawn from one seed beforehand.

Nothing is imported here: the sender needs the plan alone, and starts without what draws it.
"""
