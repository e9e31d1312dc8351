"""Room 7, the one irreversible step."""
