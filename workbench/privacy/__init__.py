"""Room 4, the mathematics: guarantees, composition, noise and choice of mechanism."""
