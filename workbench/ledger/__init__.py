"""Room 6, the budget book."""
