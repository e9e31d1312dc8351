"""Room 5, accuracy before spending."""
