"""How far an artifact lies from the baseline: over prose, by role in chats, and by position."""
