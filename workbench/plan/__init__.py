"""Room 2, what the officer decides: frozen values, nothing computed."""
