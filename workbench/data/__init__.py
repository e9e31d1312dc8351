"""Room 1, data in: files become a Dataset with findings."""
