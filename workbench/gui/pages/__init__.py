"""One page per stage; pages meet only in the session."""
