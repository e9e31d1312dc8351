"""Windows in front of the window."""
