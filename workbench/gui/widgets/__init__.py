"""Building blocks the pages share."""
