"""What several runs say together: an index of all, their champions, and two side by side."""
