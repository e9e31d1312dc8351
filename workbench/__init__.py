"""The Release Workbench: confidential spreadsheets in, public tables with a proven privacy guarantee out."""

__version__ = "0.1.0"
