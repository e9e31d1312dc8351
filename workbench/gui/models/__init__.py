"""Qt item models over the workbench's values."""
