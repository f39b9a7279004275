"""Families of games, not games: ranking, exact analysis, optimal play, simulation, statistics."""
