"""Cards, hands, exact counts, optimal play, statistics: families of games, not games."""
