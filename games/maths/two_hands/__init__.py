"""A player's cards set into a high and a low hand against the dealer's two: seven cards a side, or six."""
