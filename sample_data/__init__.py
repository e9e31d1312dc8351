"""Synthetic sample data, its code lists and ready plans."""
