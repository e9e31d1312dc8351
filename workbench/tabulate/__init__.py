"""Room 3, true values: nothing here may be shown outside."""
