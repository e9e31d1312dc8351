"""The self-audit: what every mechanism claims, against what it does; one audit per file, one table of mechanisms."""
