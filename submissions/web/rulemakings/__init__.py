"""Pages of `submissions.rulemakings`."""
