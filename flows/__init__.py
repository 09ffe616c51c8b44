"""Stories: how the verbs make a qualification."""
